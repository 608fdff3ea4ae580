/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  state.c - data that all parts of libcohort_ctld share
\*****************************************************************************/
#include "state/state.h"

struct ctld ctld;
