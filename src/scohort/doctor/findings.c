/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.c - what was found, as a document and as lines
 */
#define _GNU_SOURCE	/* vasprintf */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "input/json_members.h"
#include "must.h"
#include "output/text.h"

static const char *const severities[SEVERITIES] = { "ok", "note", "warning", "error" };

void found(struct doctor *d, enum severity severity, const char *where, const char *fmt, ...)
{
	struct json_object *o = json_append(d->findings);
	char *message;
	va_list args;

	va_start(args, fmt);
	must(vasprintf(&message, fmt, args) < 0 ? NULL : message);
	va_end(args);
	json_add_text(o, "group", d->group);
	json_add_text(o, "severity", severities[severity]);
	json_add_text(o, "where", where);
	json_add_text(o, "message", message);
	free(message);
	d->counts[severity]++;
	d->said++;
}

const char *found_line(struct doctor *d, int line)
{
	snprintf(d->place, sizeof(d->place), line ? "%s:%d" : "%s", d->path, line);
	return d->place;
}

void found_in_file(void *doctor, bool warning, const char *message)
{
	static const char word[] = "warning: ";
	struct doctor *d = doctor;
	size_t len = strlen(d->path);
	int line = 0;

	if (!strncmp(message, d->path, len) && message[len] == ':') {
		message += len + 1;
		line = *message == ' ' ? 0 : atoi(message);
		message += strcspn(message, " ") + 1;
	}
	if (warning && !strncmp(message, word, strlen(word)))
		message += strlen(word);
	found(d, warning ? SEVERITY_WARNING : SEVERITY_ERROR, found_line(d, line), "%s", message);
}

void found_unknown(struct doctor *d, const char *what, const char *why)
{
	struct json_object *o = NULL;

	for (size_t i = 0; !o && i < json_object_array_length(d->unknown); i++) {
		o = json_object_array_get_idx(d->unknown, i);
		if (strcmp(json_text(o, "why"), why) != 0)
			o = NULL;
	}
	if (!o) {
		o = json_append(d->unknown);
		json_add_text(o, "why", why);
		json_add_list(o, "what");
	}
	json_object_array_add(json_member(o, "what"), json_object_new_string(what));
	d->said++;
}

struct json_object *findings_document(const struct doctor *d)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "file", d->path);
	json_add_number(o, "lookedAt", d->looks);
	json_add_number(o, "errors", (int64_t) d->counts[SEVERITY_ERROR]);
	json_add_number(o, "warnings", (int64_t) d->counts[SEVERITY_WARNING]);
	json_add_number(o, "notes", (int64_t) d->counts[SEVERITY_NOTE]);
	json_object_object_add(o, "findings", json_object_get(d->findings));
	json_object_object_add(o, "notLookedAt", json_object_get(d->unknown));
	return o;
}

/* ---- lines ---- */

static void unknown_line(const struct output *out, struct json_object *o)
{
	char what[1024] = "";

	for (size_t i = 0; i < json_items(o, "what"); i++)
		text_join(what, sizeof(what), "%s",
			  json_object_get_string(json_item(o, "what", i)));
	output_line(out->file, "  %s: %s", json_text(o, "why"), what);
}

static void summary_line(const struct doctor *d, const struct output *out)
{
	char counts[TEXT_SIZE] = "";

	for (int s = SEVERITY_ERROR; s > SEVERITY_OK; s--)
		if (d->counts[s])
			text_join(counts, sizeof(counts), "%zu %s%s", d->counts[s],
				  severities[s], text_s((int64_t) d->counts[s]));
	fprintf(out->file, "%s: %s%s%" PRId64 " thing%s looked at\n",
		d->counts[SEVERITY_ERROR] || d->counts[SEVERITY_WARNING]
		? "There is something to do"
		: json_object_array_length(d->unknown) ? "Nothing wrong was seen" : "All is well",
		counts, *counts ? "; " : "", d->looks, text_s(d->looks));
}

void findings_print(const struct doctor *d, const struct output *out)
{
	const char *group = "";

	for (size_t i = 0; i < json_object_array_length(d->findings); i++) {
		struct json_object *o = json_object_array_get_idx(d->findings, i);

		if (!d->verbose && !strcmp(json_text(o, "severity"), severities[SEVERITY_OK]))
			continue;
		if (strcmp(group, json_text(o, "group")) != 0)
			fprintf(out->file, "%s\n", json_text(o, "group"));
		group = json_text(o, "group");
		output_line(out->file, "  %-7s  %s%s%s", json_text(o, "severity"),
			    json_text(o, "where"), *json_text(o, "message") ? ": " : "",
			    json_text(o, "message"));
	}
	if (json_object_array_length(d->unknown))
		fprintf(out->file, "Not looked at\n");
	for (size_t i = 0; i < json_object_array_length(d->unknown); i++)
		unknown_line(out, json_object_array_get_idx(d->unknown, i));
	summary_line(d, out);
}
