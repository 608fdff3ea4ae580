/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  state.c - what all parts of libcohort_ctld know
\*****************************************************************************/
#include "state/state.h"

struct ctld ctld;
