/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.c - what is not known of a range, in sentences
 */
#include "past/notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "report/gaps.h"

/* Is a part of the range without account? Only use has gaps. */
static bool has_unknown(struct json_object *document)
{
	for (size_t i = 0; i < json_items(document, "gaps"); i++) {
		struct json_object *gap = json_item(document, "gaps", i);

		if (!strcmp(json_text(gap, "kind"), "unknown")
		    && json_number(gap, "seconds"))
			return true;
	}
	return false;
}

int notes_fill(struct json_object *document, const struct range *range,
	       const char *first)
{
	struct json_object *notes = json_object_new_array();
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	json_object_object_add(document, "notes", notes);
	if (!f)
		return -1;
	if (first)
		fprintf(f, "%s\n", first);
	gaps_print(f, range, document);
	if (has_unknown(document))
		fprintf(f, "A step with such a time in it is a mean over all of "
			"the step, and too low.\n");
	fclose(f);
	for (char *line = text, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		json_object_array_add(notes, json_object_new_string(line));
	}
	free(text);
	return 0;
}
