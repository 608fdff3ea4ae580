/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - what the functions that read a document into a conf share
 *
 * An error leaves the default in place, and reading goes on.
 */
#ifndef COHORT_READER_H
#define COHORT_READER_H

#include <stdbool.h>

#include "text/report.h"
#include "text/symtab.h"

struct conf;

struct reader {
	struct conf *conf;
	struct report *report;
	struct symtab *flavors;
	struct symtab *cohorts;
	struct symtab *queues;
	bool has_parent;	/* the queue or cohort that is read names a
				 * cohort, known or not */
};

#endif /* COHORT_READER_H */
