/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_json.c - helpers to make the parts of the published document
\*****************************************************************************/
#include "document/publish_json.h"

#include "state/json_text.h"

extern struct json_object *publish_string(const char *text)
{
	return json_text(text);
}
