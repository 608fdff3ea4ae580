/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - scohort report: who owned, used, borrowed and lent what, and when
 */
#ifndef SCOHORT_REPORT_REPORT_H
#define SCOHORT_REPORT_REPORT_H

#include "output/table.h"

int cmd_report(int argc, char **argv);

/* ---- views.c ---- */

extern const struct column use_columns[], matrix_columns[], eviction_columns[],
	costliest_columns[];

#endif /* SCOHORT_REPORT_REPORT_H */
