/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * views.h - the columns of reports
 */
#ifndef SCOHORT_REPORT_VIEWS_H
#define SCOHORT_REPORT_VIEWS_H

#include "output/table.h"

extern const struct column use_columns[], matrix_columns[], eviction_columns[],
	costliest_columns[];

#endif /* SCOHORT_REPORT_VIEWS_H */
