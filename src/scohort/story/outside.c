/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.c - what jobs outside all cluster queues have, in a sentence
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "story/outside.h"

char *outside_text(char *buf, size_t size, const struct published *p,
		   const char *resource)
{
	size_t used = 0;

	*buf = '\0';
	for (size_t i = 0; i < json_items(p->document, "outside"); i++) {
		struct json_object *o = json_item(p->document, "outside", i);
		const char *what = json_text(o, "resource");
		char of[TEXT_SIZE];

		if (!resource || !strcmp(resource, what))
			snprintf(buf + used, size - used, "%s%s of %s",
				 used ? ", " : "Jobs outside all queues use ",
				 text_amount_of(of, sizeof(of), what,
						json_number(o, "used")),
				 json_text(o, "flavor"));
		used = strlen(buf);
	}
	if (used)
		snprintf(buf + used, size - used, ". Quota does not count that: FREE is "
			 "quota, not nodes.");
	return buf;
}
