/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story.c - sentences about one job
 */
#include <stdarg.h>
#include <stdio.h>

#include "output/text.h"
#include "story/story.h"

void say(struct story *s, const char *format, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	text_sanitize(text);
	json_object_array_add(s->sentences, json_object_new_string(text));
}
