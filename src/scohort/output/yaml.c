/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.c - a JSON value as YAML
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <yaml.h>

#include "must.h"
#include "output/output.h"
#include "text/printable.h"

/* Words that YAML 1.1 takes for a value that is no string */
static bool is_word(const char *s)
{
	static const char *const words[] = {
		"true", "false", "yes", "no", "on", "off", "null", "y", "n",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(s, words[i]))
			return true;
	return false;
}

/* A name like gres/gpu is; anything else stands in quotes. */
bool yaml_is_plain(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return *s && strchr(letters, *s) && !is_word(s)
	       && !s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-@+")];
}

/* made: what the initializer of the event returned */
static void emit(yaml_emitter_t *emitter, yaml_event_t *event, int made)
{
	must(made && yaml_emitter_emit(emitter, event) ? emitter : NULL);
}

static void scalar_emit(yaml_emitter_t *emitter, const char *s, bool plain)
{
	char *text = must(utf8_mend(s));
	yaml_event_t event;

	emit(emitter, &event, yaml_scalar_event_initialize(
		&event, NULL, NULL, (yaml_char_t *) text, (int) strlen(text), plain, !plain,
		plain ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE));
	free(text);
}

static void value_emit(yaml_emitter_t *emitter, struct json_object *value)
{
	yaml_event_t event;
	const char *s;

	switch (json_object_get_type(value)) {
	case json_type_object:
		emit(emitter, &event, yaml_mapping_start_event_initialize(
			&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
		json_object_object_foreach(value, key, member) {
			scalar_emit(emitter, key, yaml_is_plain(key));
			value_emit(emitter, member);
		}
		emit(emitter, &event, yaml_mapping_end_event_initialize(&event));
		return;
	case json_type_array:
		emit(emitter, &event, yaml_sequence_start_event_initialize(
			&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
		for (size_t i = 0; i < json_object_array_length(value); i++)
			value_emit(emitter, json_object_array_get_idx(value, i));
		emit(emitter, &event, yaml_sequence_end_event_initialize(&event));
		return;
	case json_type_string:
		s = json_object_get_string(value);
		scalar_emit(emitter, s, yaml_is_plain(s));
		return;
	default:
		scalar_emit(emitter, value ? json_object_get_string(value) : "null", true);
	}
}

char *yaml_dump(struct json_object *value)
{
	yaml_emitter_t emitter;
	yaml_event_t event;
	char *text = NULL;
	size_t size;
	FILE *file = must(open_memstream(&text, &size));

	must(yaml_emitter_initialize(&emitter) ? &emitter : NULL);
	yaml_emitter_set_output_file(&emitter, file);
	yaml_emitter_set_unicode(&emitter, 1);
	yaml_emitter_set_width(&emitter, -1);
	emit(&emitter, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	emit(&emitter, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
	value_emit(&emitter, value);
	emit(&emitter, &event, yaml_document_end_event_initialize(&event, 1));
	emit(&emitter, &event, yaml_stream_end_event_initialize(&event));
	yaml_emitter_delete(&emitter);
	must(fclose(file) ? NULL : text);
	return text;
}
