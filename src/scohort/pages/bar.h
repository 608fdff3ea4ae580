/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bar.h - quota as a bar, and as cells of a table
 */
#ifndef SCOHORT_BAR_H
#define SCOHORT_BAR_H

#include <json.h>

#include "pages/html.h"

/* The parts of a quota: they add up to nominal quota and what is borrowed. */
struct parts {
	int64_t own;		/* nominal quota that the queue uses itself */
	int64_t lent;		/* nominal quota that others use */
	int64_t unused;		/* the rest of nominal quota */
	int64_t borrowed;
};

/* Of a published quota; that of a cohort counts what its members lend to it. */
struct parts quota_parts(struct json_object *quota);

/* A picture of the parts, and the same in words for those who do not see it. scale:
 * scale_add(), so that bars of one resource can be compared; NULL: it fills the width */
void bar_write(struct html *h, struct json_object *quota, struct json_object *scale);
/* A scale is an object, empty at first: the bars of the node fit into it. */
void scale_add(struct json_object *scale, struct json_object *node);
/* What the colours of a bar are */
void bar_legend(struct html *h);

/* Headers and cells of a row: the bar and the numbers of a quota, NULL: none */
void quota_headers(struct html *h);
void quota_cells(struct html *h, struct json_object *quota, struct json_object *scale);

#endif /* SCOHORT_BAR_H */
