/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_reader.h - JSON of unknown origin, read with errors that name the place
 *
 * A struct at is a value together with the path to it. The first error is
 * written to the fault, with its path ("pending[2].priority: ..."), and from
 * then on all values read as absent: a reader runs straight through and calls
 * at_failed() once, at the end of each loop over many. null counts as absent.
 * Values made by at_member(), at_list() and at_item() point to their parent,
 * which must outlive them; strings belong to the JSON.
 */
#ifndef LAB_JSON_READER_H
#define LAB_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json.h>

/* Where the first error goes; zeroed but for buf and size */
struct fault {
	char *buf;
	size_t size;
	bool set;
};

struct at {
	struct fault *fault;
	const struct at *up;
	const char *key;		/* NULL: an item of the list `up` */
	size_t index;
	struct json_object *json;	/* NULL: absent */
	size_t n;			/* of a list */
};

/* A word of a closed set; a table of them ends with word == NULL */
struct word {
	const char *word;
	int value;
};

void at_root(struct at *at, struct json_object *json, struct fault *fault);

/* Records an error about at, or about its member `key` if that is not NULL. */
void at_fail(const struct at *at, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool at_failed(const struct at *at);

/* Members that must be an object or a list if they are there. */
struct at at_member(const struct at *at, const char *key);
struct at at_list(const struct at *at, const char *key);

/* Item i of a list: any, or one that must be an object */
struct at at_any(const struct at *list, size_t i);
struct at at_item(const struct at *list, size_t i);

/* A string; NULL if absent. at_name(): one that must be there and not empty,
 * "" if it is not. */
const char *at_string(const struct at *at, const char *key);
const char *at_name(const struct at *at, const char *key);

/* The string that at itself is (an item of a list of strings), "" if not */
const char *at_text(const struct at *at);

bool at_bool(const struct at *at, const char *key, bool dflt);
int64_t at_int(const struct at *at, const char *key, int64_t dflt, int64_t min);
double at_weight(const struct at *at, const char *key, double dflt);
int at_word(const struct at *at, const char *key, const struct word *words,
	    int dflt);

/* Seconds in `key`, plus the nanoseconds in `key`Ns, as nanoseconds */
int64_t at_seconds(const struct at *at, const char *key, int64_t dflt);

/* Milliseconds as nanoseconds */
int64_t at_millis(const struct at *at, const char *key, int64_t dflt);

/* A table of names is a JSON object, name -> index: the index, or -1. Adding a
 * name that is in the table already is an error about at's member "name". */
int at_index(struct json_object *table, const char *name);
void at_index_add(struct json_object *table, const char *name, size_t index,
		  const struct at *at);

#endif /* LAB_JSON_READER_H */
