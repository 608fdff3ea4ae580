/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_json.c - helpers to make the parts of the published document
\*****************************************************************************/
#include "document/publish_json.h"

#include "text/utf8.h"

extern struct json_object *publish_string(const char *text)
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
