/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lighter.h - of the victims for nodes, those that lose least
 */
#ifndef COHORT_LIGHTER_H
#define COHORT_LIGHTER_H

#include "sim/offer.h"

/* Nodes have room for the offer only when its victims leave: takes other victims
 * if these lose less, and leaves out who is not needed. -1: no memory */
int offer_lighten(struct sim *sim, const struct sim_turn *turn,
		  struct offer *offer);

#endif /* COHORT_LIGHTER_H */
