/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.h - the turn of one job that the plan lets go
 */
#ifndef COHORT_TURN_H
#define COHORT_TURN_H

#include "sim/offer.h"

/* The job is blocked from now on: others may go instead of it. */
#define TURN_BLOCKS 2

/* 1: it moves, TURN_BLOCKS: it is blocked, 0: it stays, -1: no memory */
int turn_take(struct sim *sim, struct sim_turn *turn);

#endif /* COHORT_TURN_H */
