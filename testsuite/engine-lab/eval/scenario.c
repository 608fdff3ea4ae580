/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario.c - a conformance scenario: JSON in, a spec and an engine out
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json.h>

#include "eval/scenario.h"

struct json_object *scenario_parse(const char *text, size_t len, char *err, size_t size)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *json = NULL;
	enum json_tokener_error code;

	if (!tok || len > INT_MAX) {
		snprintf(err, size, "%s", tok ? "too long" : strerror(errno));
		json_tokener_free(tok);
		return NULL;
	}
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	json = json_tokener_parse_ex(tok, text, (int) len);
	code = json_tokener_get_error(tok);
	if (code == json_tokener_continue)
		snprintf(err, size, "the line ends inside the JSON");
	else if (code != json_tokener_success)
		snprintf(err, size, "not JSON: %s at column %zu", json_tokener_error_desc(code),
			 json_tokener_get_parse_end(tok) + 1);
	else if (!json_object_is_type(json, json_type_object))
		snprintf(err, size, "not a JSON object");
	else
		goto out;
	json_object_put(json);
	json = NULL;
out:
	json_tokener_free(tok);
	return json;
}

const struct scenario_item *scenario_item(const struct workload *w)
{
	return workload_owner(w);
}

const struct scenario_item *scenario_pending(const struct scenario *s, const char *name)
{
	for (size_t i = s->nadmitted; i < s->nitems; i++)
		if (!strcmp(s->items[i].name, name))
			return &s->items[i];
	return NULL;
}

static struct scenario *scenario_alloc(const struct at *root)
{
	struct scenario *s = calloc(1, sizeof(*s));

	if (s) {
		s->spec = spec_create();
		s->queues = json_object_new_object();
		s->cohorts = json_object_new_object();
		s->local_queues = json_object_new_object();
	}
	if (s && s->spec && s->queues && s->cohorts && s->local_queues)
		return s;
	at_fail(root, NULL, "%s", strerror(ENOMEM));
	scenario_destroy(s);
	return NULL;
}

struct scenario *scenario_create(const struct at *root)
{
	struct scenario *s = scenario_alloc(root);

	if (!s)
		return NULL;
	scenario_read_spec(s, root);
	if (!at_failed(root) && !spec_is_valid(s->spec))
		at_fail(root, NULL, "cohorts form a cycle, or a number is out of range");
	if (!at_failed(root)) {
		s->engine = engine_create(s->spec);
		if (!s->engine)
			at_fail(root, NULL, "engine: %s", strerror(errno));
	}
	if (!at_failed(root)) {
		engine_advance(s->engine, s->now);
		scenario_read_work(s, root);
	}
	if (!at_failed(root))
		scenario_read_histories(s, root);
	if (!at_failed(root))
		return s;
	scenario_destroy(s);
	return NULL;
}

void scenario_destroy(struct scenario *s)
{
	int saved = errno;

	if (!s)
		return;
	engine_destroy(s->engine);
	spec_destroy(s->spec);
	json_object_put(s->queues);
	json_object_put(s->cohorts);
	json_object_put(s->local_queues);
	free(s->items);
	free(s);
	errno = saved;
}
