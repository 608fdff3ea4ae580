/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns.h - turns (minAdmitDuration) that never end, or end too soon
 */
#ifndef SCOHORT_CHECK_TURNS_H
#define SCOHORT_CHECK_TURNS_H

#include "check/cluster.h"
#include "conf.h"
#include "text/report.h"

struct check {
	const struct conf *conf;
	const struct cluster *cluster;
	struct report *report;
};

/* Warns of the turns of this queue, if it has any. */
void turns_advise(const struct check *c, size_t queue);

#endif /* SCOHORT_CHECK_TURNS_H */
