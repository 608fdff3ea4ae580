/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patient.c - a made cluster, and what a look says of it
 */
#include <json.h>

#include "patient.h"
#include "input/json_members.h"

static void no_error(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		fail_msg("%s", message);
}

struct doctor *patient_make(const char *yaml, const char *settings)
{
	struct doctor *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->path = "f";
	d->in_place = true;
	d->root = true;
	d->now = 1000;
	d->file.conf = conf_read_text("f", yaml, strlen(yaml), no_error, NULL);
	d->file.good = true;
	d->controller.settings = strdup(settings);
	d->controller.preempt_type = strdup("preempt/none");
	return d;
}

void patient_free(struct doctor *d)
{
	published_close(&d->published);
	controller_close(&d->controller);
	conf_destroy(d->file.conf);
	free(d);
}

void patient_says(struct doctor *d, void (*look)(struct doctor *d), const char *want)
{
	char said[8192] = "";

	d->findings = json_object_new_array();
	d->unknown = json_object_new_array();
	d->group = "";
	look(d);
	for (size_t i = 0; i < json_object_array_length(d->findings); i++) {
		struct json_object *o = json_object_array_get_idx(d->findings, i);
		size_t n = strlen(said);

		snprintf(said + n, sizeof(said) - n, "%s %s: %s\n", json_text(o, "severity"),
			 json_text(o, "where"), json_text(o, "message"));
	}
	for (size_t i = 0; i < json_object_array_length(d->unknown); i++) {
		struct json_object *o = json_object_array_get_idx(d->unknown, i);
		size_t n = strlen(said);

		snprintf(said + n, sizeof(said) - n, "%s? %s\n", json_text(o, "why"),
			 json_object_get_string(json_item(o, "what", 0)));
	}
	json_object_put(d->findings);
	json_object_put(d->unknown);
	assert_string_equal(said, want);
}

void look_says(void (*look)(struct doctor *d), const char *yaml, const char *settings,
	       const char *want)
{
	struct doctor *d = patient_make(yaml, settings);

	patient_says(d, look, want);
	patient_free(d);
}
