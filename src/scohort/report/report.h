/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - scohort report: who owned, used, borrowed and lent what, and when
 */
#ifndef SCOHORT_REPORT_REPORT_H
#define SCOHORT_REPORT_REPORT_H

int cmd_report(int argc, char **argv);

#endif /* SCOHORT_REPORT_REPORT_H */
