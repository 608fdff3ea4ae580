/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * orders.h - the orders of the holdings of a queue: for holding.c
 */
#ifndef COHORT_HOLDING_ORDERS_H
#define COHORT_HOLDING_ORDERS_H

struct holding;

/* Puts it into the list of its queue, and into its orders, or takes it out. */
void holding_place(struct holding *h);
void holding_leave(struct holding *h);

#endif /* COHORT_HOLDING_ORDERS_H */
