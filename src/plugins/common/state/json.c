/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  json.c - members of JSON objects, texts from outside, and pairs as keys
\*****************************************************************************/
#include <math.h>

#include "state/json.h"

#include "state/state.h"

#include "text/printable.h"

#define SHORT_BYTES 256

/* ---- values ---- */

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

static struct json_object *_text(const char *text)
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
	return _text(part);
}

/* ---- members ---- */

extern struct json_object *json_member(struct json_object *o, const char *name)
{
	struct json_object *member;

	if (!json_object_object_get_ex(o, name, &member)) {
		member = json_object_new_object();
		json_object_object_add(o, name, member);
	}
	return member;
}

extern void json_add_finite(struct json_object *o, const char *key, double number)
{
	json_add(o, key, isfinite(number) ? json_object_new_double(number) : NULL);
}

extern void json_add_text(struct json_object *o, const char *key, const char *text)
{
	json_add(o, key, _text(text));
}

extern int64_t json_number(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_int64(value) : 0;
}

extern struct json_object *json_object_of(struct json_object *o, const char *key)
{
	static struct json_object *empty;
	struct json_object *value = NULL;

	if (json_object_object_get_ex(o, key, &value) &&
	    json_object_is_type(value, json_type_object))
		return value;
	if (!empty)
		empty = json_object_new_object();
	return empty;
}

extern const char *json_text_of(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_string(value) : "";
}

/* ---- pairs ---- */

extern void json_add_pair(struct json_object *o, const struct spec *spec, int flavor, int resource)
{
	json_add_text(o, "flavor", spec->flavors[flavor]);
	json_add_text(o, "resource", spec->resources[resource]);
}

extern bool json_is_pair(struct json_object *o, const struct spec *spec, int flavor, int resource)
{
	return !xstrcmp(json_text_of(o, "flavor"), spec->flavors[flavor]) &&
		!xstrcmp(json_text_of(o, "resource"), spec->resources[resource]);
}

extern void pair_key_print(char key[PAIR_KEY_BYTES], const struct spec *spec, int flavor,
			   int resource)
{
	snprintf(key, PAIR_KEY_BYTES, "%s@%s", spec->resources[resource],
		 spec->flavors[flavor]);
}

extern struct json_object *json_pairs(const struct spec *spec, const struct charge *charges,
				      size_t n, int64_t times)
{
	struct json_object *o = json_object_new_object();
	char pair[PAIR_KEY_BYTES];

	for (size_t i = 0; i < n; i++) {
		pair_key_print(pair, spec, charges[i].flavor, charges[i].resource);
		json_object_object_add(o, pair, json_object_new_int64(
					sat_mul(charges[i].amount, times)));
	}
	return o;
}

extern bool pair_key_find(const char *key, int *flavor, int *resource)
{
	char *copy = xstrdup(key), *at = strrchr(copy, '@');

	*flavor = *resource = SPEC_NONE;
	if (at) {
		*at = '\0';
		*flavor = spec_find_flavor(ctld.conf->spec, at + 1);
		*resource = spec_find_resource(ctld.conf->spec, copy);
	}
	xfree(copy);
	return (*flavor != SPEC_NONE) && (*resource != SPEC_NONE);
}
