/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - what is not known of a range, in sentences
 */
#ifndef SCOHORT_PAST_NOTES_H
#define SCOHORT_PAST_NOTES_H

#include <stdbool.h>

#include <json.h>

#include "report/slots.h"

/* Adds `notes`, from what gaps_fill() or evictions_known_fill() has added. private: these are
 * evictions of whole days. -1: no memory */
int notes_fill(struct json_object *document, const struct range *range,
	       bool private);

#endif /* SCOHORT_PAST_NOTES_H */
