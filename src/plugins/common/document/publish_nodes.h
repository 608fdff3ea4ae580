/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_nodes.h - flavors: their nodes, and which queues have them
\*****************************************************************************/
#ifndef COHORT_DOCUMENT_PUBLISH_NODES_H
#define COHORT_DOCUMENT_PUBLISH_NODES_H

#include "compat/slurm_compat.h"

struct json_object;

/* A text says that a job waits for nodes: for ten minutes from now on the
 * document tells which queues have them. That costs a look at all running jobs
 * for each document, so it is not told where no job waits for nodes. */
extern void publish_nodes_asked(void);
/* All flavors */
extern struct json_object *publish_flavors(time_t now);

#endif /* COHORT_DOCUMENT_PUBLISH_NODES_H */
