/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - texts and requests that many jobs of a trace share
 *
 * A trace of a million jobs has some thousand users, and hardly more requests.
 * Each is kept once, until trace_names_free().
 */
#ifndef SCOHORT_TRACE_NAMES_H
#define SCOHORT_TRACE_NAMES_H

#include "lib/hash.h"
#include "value/tres.h"

struct trace_amount {
	char resource[RESOURCE_NAME_MAX + 1];
	int64_t amount;			/* of one task */
};

/* In the order in which they were written, each resource once */
struct trace_request {
	size_t n;
	struct trace_amount amounts[];
};

struct trace_names {
	struct hash texts;
};

/* The same pointer for the same text */
const char *trace_name(struct trace_names *names, const char *text);

/* "cpu=4,mem=3.50G,node=1", the same pointer for the same text. NULL with what
 * is wrong in err. */
const struct trace_request *trace_request(struct trace_names *names, const char *text,
					  char *err, size_t size);

/* From now on trace_labelled() gives text[0..len) for this key, NULL for
 * others. A later one replaces it. */
void trace_label(struct trace_names *names, const char *key, const char *text, size_t len);
const char *trace_labelled(struct trace_names *names, const char *key);

void trace_names_free(struct trace_names *names);

#endif /* SCOHORT_TRACE_NAMES_H */
