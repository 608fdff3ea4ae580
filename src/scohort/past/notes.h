/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - what is not known of a range, in sentences
 */
#ifndef SCOHORT_PAST_NOTES_H
#define SCOHORT_PAST_NOTES_H

#include <json.h>

#include "report/slots.h"

/* Adds `notes`, from what gaps_fill() or evictions_known_fill() has added, and `first`
 * (or NULL) before them. -1: no memory */
int notes_fill(struct json_object *document, const struct range *range,
	       const char *first);

#endif /* SCOHORT_PAST_NOTES_H */
