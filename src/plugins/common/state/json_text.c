/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  json_text.c - texts as JSON: from outside, and printed before
\*****************************************************************************/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/json_text.h"

#include "compat/slurm_compat.h"
#include "text/printable.h"

#define SHORT_BYTES 256

static int _print(struct json_object *o, struct printbuf *to, int level UNUSED,
		  int flags UNUSED)
{
	const char *text = json_object_get_userdata(o);

	return printbuf_memappend(to, text, strlen(text));
}

static void _free(struct json_object *o UNUSED, void *text)
{
	xfree(text);
}

extern struct json_object *json_printed(char *text)
{
	struct json_object *o = json_object_new_boolean(false);

	json_object_set_serializer(o, _print, text, _free);
	return o;
}

extern struct json_object *json_text(const char *text)
{
	struct json_object *o;
	char *mended;

	if (!text)
		return NULL;
	if (!text[utf8_span(text, strlen(text))])
		return json_object_new_string(text);
	if (!(mended = utf8_mend(text)))
		return NULL;
	o = json_object_new_string(mended);
	free(mended);
	return o;
}

extern struct json_object *json_short_text(const char *text)
{
	char part[SHORT_BYTES];

	if (!text)
		return NULL;
	snprintf(part, sizeof(part), "%s", text);
	return json_text(part);
}

extern const char *json_text_of(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_string(value) : "";
}
