/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.c - what is recorded of evictions, and who is told
 *
 *	events: {enable: true, file: /var/log/slurm/cohort_events.jsonl,
 *		 maxMegabytes: 16, keep: 4}
 *	notify: {program: /etc/slurm/cohort-notify, timeLimit: 30s, atOnce: 4}
 */
#include "section/sections.h"
#include "value/scalar.h"

static const struct range megabytes_range = { 1, 1024 };
static const struct range keep_range = { 0, 1000 };
static const struct range limit_range = { SPEC_SEC, 600 * SPEC_SEC };
static const struct range at_once_range = { 1, 64 };

#define EVENTS(_field) offsetof(struct conf, events._field)

static const struct field events_fields[] = {
	{ .key = "enable", .read = value_bool, .offset = EVENTS(enable) },
	{ .key = "file", .read = value_path, .offset = EVENTS(file) },
	{ .key = "maxMegabytes", .read = value_integer,
	  .arg = &megabytes_range, .offset = EVENTS(max_megabytes) },
	{ .key = "keep", .read = value_integer, .arg = &keep_range,
	  .offset = EVENTS(keep) },
	{ .key = NULL }
};

#define NOTIFY(_field) offsetof(struct conf, notify._field)

static const struct field notify_fields[] = {
	{ .key = "program", .read = value_path, .offset = NOTIFY(program),
	  .required = true },
	{ .key = "timeLimit", .read = value_time, .arg = &limit_range,
	  .offset = NOTIFY(time_limit) },
	{ .key = "atOnce", .read = value_integer, .arg = &at_once_range,
	  .offset = NOTIFY(at_once) },
	{ .key = NULL }
};

int notify_read(struct reader *r, const struct place *at, struct node *map,
		void *dest, const void *arg)
{
	(void) dest;
	(void) arg;
	return map_read(r, at, map, r->conf, notify_fields);
}

int events_read(struct reader *r, const struct place *at, struct node *map,
		void *dest, const void *arg)
{
	(void) dest;
	(void) arg;
	return map_read(r, at, map, r->conf, events_fields);
}
