/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - scohort record: the published counters and evictions, into a database
 */
#ifndef SCOHORT_HISTORY_RECORD_H
#define SCOHORT_HISTORY_RECORD_H

int cmd_record(int argc, char **argv);

#endif /* SCOHORT_HISTORY_RECORD_H */
