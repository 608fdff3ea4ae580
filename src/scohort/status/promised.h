/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promised.h - quotas that promise more than the nodes have
 */
#ifndef SCOHORT_PROMISED_H
#define SCOHORT_PROMISED_H

#include "ledger/published.h"

/* pairs: flavor -> resource -> any. Adds a sentence for each of them with more quota
 * than its nodes have: then not all that is free can be used. */
void promised_add(const struct published *p, struct json_object *pairs,
		  struct json_object *notes);

#endif /* SCOHORT_PROMISED_H */
