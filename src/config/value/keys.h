/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - maps by tables: which keys there are, and how each is read
 *
 *	static const struct key site_keys[] = {
 *		{ "plannedJobs", value_integer, IN(conf, planned_jobs), .max = 16 },
 *		NO_KEY
 *	};
 *
 * A key that is unknown, comes twice or has no value is reported here, so that
 * no section has to do it. An error leaves the default in place, and reading
 * goes on.
 */
#ifndef COHORT_KEYS_H
#define COHORT_KEYS_H

#include <stdint.h>

#include "text/report.h"
#include "yaml/document.h"

/* The names that the items of a list declare, sorted by text. The texts are the
 * document's; the caller frees `of`. All 0: no names */
struct names {
	struct name {
		const char *text;
		size_t index;		/* of the item in the list */
	} *of;
	size_t n;
};

/* What the functions that read a document into a conf share */
struct reader {
	struct conf *conf;
	struct report *report;
	struct names flavors;
	struct names cohorts;
	struct conf_queue *queue;	/* the one that is read */
	struct groups *groups;	/* its resource groups, or those of a cohort */
	bool has_parent;	/* the queue or cohort that is read names a
				 * cohort, known or not */
};

struct key;

/* A value that is read: that of a key, or an item of a list that is the key's */
struct value {
	struct reader *r;
	struct node *n;
	void *dest;
	const struct key *key;
};

/* Returns 0, or -1 after it has reported what is wrong; *dest is then as before. */
typedef int (*read_f)(struct value *v);

struct word {
	const char *word;	/* NULL ends a list of words */
	int value;
};

struct key {
	const char *name;		/* NULL ends a table */
	read_f read;
	size_t offset, size;		/* of dest in the object: IN() */
	const struct word *words;	/* value_word(); NULL: true and false */
	int64_t min, max;		/* of numbers and times, and of how many
					 * items a list has; max 0: any */
	int64_t initial;		/* the default of a word, number or time;
					 * 0 leaves what the object has */
	const struct key *keys;		/* map_read() */
	bool pointer;			/* map_read(): dest points to the object */
	const void *arg;		/* of other functions: see there */
	bool required;
	bool or_zero;			/* 0 is allowed, too */
	size_t given;			/* offset of a bool that says whether the
					 * key is there, or 0 */
};

/* A member of the struct that a table fills */
#define IN(type, member) .offset = offsetof(struct type, member), \
	.size = sizeof(((struct type *) NULL)->member)

/* The words, or the keys of a map, that only one key has */
#define WORDS(...) .words = (const struct word[]) { __VA_ARGS__, { NULL, 0 } }
#define KEYS(...) .keys = (const struct key[]) { __VA_ARGS__, NO_KEY }
/* The end of a table */
#define NO_KEY { .name = NULL }

/* Reports an error of node n, marks n bad, and is -1. */
#define node_error(r, n, ...) \
	((n)->bad = true, \
	 report_error((r)->report, &(n)->at, (n)->line, __VA_ARGS__))
#define value_error(v, ...) node_error((v)->r, (v)->n, __VA_ARGS__)
#define node_warning(r, n, ...) \
	report_warning((r)->report, &(n)->at, (n)->line, __VA_ARGS__)

/* A value is known, given or by default: there is no node, or nothing wrong
 * with it. For checks that need two values */
bool node_is_good(const struct node *n);

/* True if n is null: nothing, ~ or null without quotes */
bool node_is_null(const struct node *n);

/* "a list", "a map" or the text in quotes: how a message calls n */
struct quoted node_quote(const struct node *n);

/* The text of the item's key name, "" if it has none */
const char *item_name(const struct node *item);

/* Writes a bool, int or int64_t, as the size of the key's member says. */
void key_store(void *dest, const struct key *key, int64_t value);

/* Sets the defaults that the table has, maps in it included. */
void keys_initial(void *object, const struct key *keys);

/* Reads a map by the table. Keys are read in the order of the table. */
int keys_read(struct reader *r, struct node *map, void *object, const struct key *keys);
/* A read_f for maps in maps: the key has the table. */
int map_read(struct value *v);

/* Calls read() on each item of a list with dest and the list's key; a list whose
 * key has a minimum can't be empty. what: "a list of ..." */
int list_read(struct value *v, const char *what, read_f read, void *dest);

/* The same for a list of maps with names. Reports names that come twice, and
 * enters them in `names`, if not NULL. add() makes room for the items, before any
 * is read; -1: ENOMEM */
int named_list_read(struct value *v, const char *what, struct names *names,
		    int (*add)(struct reader *r, const struct node *list), read_f read);

/* NULL if there is no such name */
const struct name *names_find(const struct names *names, const char *text);

/* ---- single values (scalar.c) ---- */

/* The scalar's text; or NULL, after it has reported that it is not `what`, for
 * example "a name" */
const char *value_text(struct value *v, const char *what);

/* ---- each is a read_f; the comment says what dest is ---- */

/* An enum, int or bool; the key has the words, or it is true or false. */
int value_word(struct value *v);

/* int or int64_t; the key has the bounds. */
int value_integer(struct value *v);

/* int64_t, ns; the key has the bounds. */
int value_time(struct value *v);

/* struct wall: a point in time */
int value_moment(struct value *v);

/* double, 0 or 0.001 to 1000000 */
int value_weight(struct value *v);

/* char *, which it replaces by a copy; the key's arg is the rule. size 0: the
 * text is only judged. */
struct text_rule {
	const char *what;	/* "a path" */
	const char *empty;	/* what is wrong with an empty one */
	size_t max;		/* bytes */
	const char *only;	/* its characters are of these */
	const char *without;	/* it has none of these */
	bool (*good)(const char *text);
	const char *wrong;	/* what is wrong else, behind the text */
};
int value_string(struct value *v);

/* Rules: the absolute path of a file; the name of a flavor, cohort or queue:
 * letters, digits, "_", "-" and "." */
extern const struct text_rule path_rule, name_rule;

/* int, the index of a flavor, or of a cohort */
int value_flavor(struct value *v);
int value_cohort(struct value *v);

#endif /* COHORT_KEYS_H */
