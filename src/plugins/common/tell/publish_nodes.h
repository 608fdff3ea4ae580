/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_nodes.h - jobs on the nodes of each flavor
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_NODES_H
#define COHORT_TELL_PUBLISH_NODES_H

#include <time.h>

struct json_object;

/* A text says that a job waits for nodes: for ten minutes from now on the
 * document has "held", which queues have the nodes of each flavor. */
extern void publish_nodes_asked(void);
/* Adds "flavors", "outside" and "justStarted" to the document. Looks at all
 * records; under the job lock */
extern void publish_nodes(struct json_object *document, time_t now);

#endif /* COHORT_TELL_PUBLISH_NODES_H */
