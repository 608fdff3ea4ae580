/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.h - a YAML document as a tree in which every value has its line
 *
 * An alias is the very node that its anchor names, so the tree may share
 * branches. Tags, merge keys and further documents are errors. Size, depth and
 * the expansion of aliases are bounded.
 */
#ifndef COHORT_DOCUMENT_H
#define COHORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "text/report.h"

#define DOCUMENT_BYTES_MAX (16 * 1024 * 1024)
#define DOCUMENT_SIZE_MAX 1000000	/* with every alias written out */
#define DOCUMENT_TEXT_UNIT 16		/* bytes of text that count as one
					 * value */
#define DOCUMENT_DEPTH_MAX 32
#define DOCUMENT_ANCHORS_MAX 256

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	bool plain;		/* scalar: written without quotes */
	bool bad;		/* an error in it was reported: see keys.h */
	bool open;		/* its end has not been read yet */
	int line;
	size_t begin, end;	/* where it is written: characters before it, and up
				 * to its end, with its quotes or brackets */
	char *text;		/* scalar */
	char *anchor;		/* or NULL */
	struct node **items;	/* list: items; map: key, value, key, value */
	size_t nitems;		/* map: twice the number of keys */
	size_t size;		/* of all that is in it, aliases expanded */
	size_t height;		/* levels in it, 1 for a scalar */
	struct place at;	/* where node_item() found it last: an alias is
				 * in several places */
	struct node *next;	/* all nodes of the document */
};

struct document;

/* NULL if the text is no document; the reason was then reported. */
struct document *document_load(const char *text, size_t len, struct report *report);
/* The same for a file with any number of documents: the root is a list of those
 * that are not empty. */
struct document *document_load_stream(const char *text, size_t len, struct report *report);
void document_destroy(struct document *doc);
struct node *document_root(const struct document *doc);

/* Item i of a list, or the value of key i of a map, which knows its place then */
struct node *node_item(const struct node *n, size_t i);

/* How many those are; 0 for a scalar, or NULL */
size_t node_length(const struct node *n);

/* The value of a key of the map, or NULL; also NULL if `map` is no map. */
struct node *node_find(const struct node *map, const char *key);

#endif /* COHORT_DOCUMENT_H */
