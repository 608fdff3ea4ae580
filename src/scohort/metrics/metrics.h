/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - the ledger and the counters for Prometheus
 */
#ifndef SCOHORT_METRICS_H
#define SCOHORT_METRICS_H

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_metrics(int argc, char **argv);

#endif /* SCOHORT_METRICS_H */
