/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - scohort queue: waiting jobs in order
 */
#ifndef SCOHORT_QUEUE_H
#define SCOHORT_QUEUE_H

#include "status/pending.h"

/* A row of the table and of the document; without details only the members that the
 * table shows by default */
struct json_object *pending_job_json(const struct pending_list *l,
				     const struct pending_job *w, bool details,
				     int64_t now);

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_queue(int argc, char **argv);

#endif /* SCOHORT_QUEUE_H */
