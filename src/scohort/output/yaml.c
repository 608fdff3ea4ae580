/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.c - a JSON value as YAML
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <yaml.h>

#include "output/output.h"
#include "output/yaml.h"
#include "text/printable.h"

struct text {
	char *data;
	size_t size;
};

static int text_append(void *arg, unsigned char *buffer, size_t size)
{
	struct text *text = arg;
	char *data = realloc(text->data, text->size + size + 1);

	if (!data)
		return 0;
	memcpy(data + text->size, buffer, size);
	text->data = data;
	text->size += size;
	data[text->size] = '\0';
	return 1;
}

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
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return *s && strchr(letters, *s) && !is_word(s)
	       && !s[strspn(s, "abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-@+")];
}

static bool scalar_emit(yaml_emitter_t *emitter, const char *s, bool plain)
{
	char *text = utf8_mend(s);
	yaml_event_t event;
	bool ok;

	ok = text && yaml_scalar_event_initialize(
			&event, NULL, NULL, (yaml_char_t *) text,
			(int) strlen(text), plain, !plain,
			plain ? YAML_PLAIN_SCALAR_STYLE
			      : YAML_DOUBLE_QUOTED_SCALAR_STYLE)
	       && yaml_emitter_emit(emitter, &event);
	free(text);
	return ok;
}

static bool value_emit(yaml_emitter_t *emitter, struct json_object *value);

static bool map_emit(yaml_emitter_t *emitter, struct json_object *map)
{
	yaml_event_t event;
	bool ok = yaml_mapping_start_event_initialize(
			  &event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE)
		  && yaml_emitter_emit(emitter, &event);

	json_object_object_foreach(map, key, value)
		ok = ok && scalar_emit(emitter, key, yaml_is_plain(key))
		     && value_emit(emitter, value);
	return ok && yaml_mapping_end_event_initialize(&event)
	       && yaml_emitter_emit(emitter, &event);
}

static bool list_emit(yaml_emitter_t *emitter, struct json_object *list)
{
	yaml_event_t event;
	bool ok = yaml_sequence_start_event_initialize(
			  &event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE)
		  && yaml_emitter_emit(emitter, &event);

	for (size_t i = 0; ok && i < json_object_array_length(list); i++)
		ok = value_emit(emitter, json_object_array_get_idx(list, i));
	return ok && yaml_sequence_end_event_initialize(&event)
	       && yaml_emitter_emit(emitter, &event);
}

static bool value_emit(yaml_emitter_t *emitter, struct json_object *value)
{
	const char *s;

	switch (json_object_get_type(value)) {
	case json_type_object:
		return map_emit(emitter, value);
	case json_type_array:
		return list_emit(emitter, value);
	case json_type_string:
		s = json_object_get_string(value);
		return scalar_emit(emitter, s, yaml_is_plain(s));
	case json_type_null:
		return scalar_emit(emitter, "null", true);
	default:
		return scalar_emit(emitter, json_object_to_json_string(value),
				   true);
	}
}

static bool document_emit(yaml_emitter_t *emitter, struct json_object *value)
{
	yaml_event_t event;

	return yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)
	       && yaml_emitter_emit(emitter, &event)
	       && yaml_document_start_event_initialize(&event, NULL, NULL,
						       NULL, 1)
	       && yaml_emitter_emit(emitter, &event)
	       && value_emit(emitter, value)
	       && yaml_document_end_event_initialize(&event, 1)
	       && yaml_emitter_emit(emitter, &event)
	       && yaml_stream_end_event_initialize(&event)
	       && yaml_emitter_emit(emitter, &event);
}

char *yaml_dump(struct json_object *value)
{
	struct text text = { 0 };
	yaml_emitter_t emitter;
	bool ok;

	if (!yaml_emitter_initialize(&emitter))
		return NULL;
	yaml_emitter_set_output(&emitter, text_append, &text);
	yaml_emitter_set_unicode(&emitter, 1);
	yaml_emitter_set_width(&emitter, -1);
	ok = document_emit(&emitter, value);
	yaml_emitter_delete(&emitter);
	if (ok)
		return text.data;
	free(text.data);
	return NULL;
}
