/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.h - a YAML document as a tree whose every value knows its line
 *
 * Anchors and aliases are understood: an alias is the very node it names, so
 * the tree may share branches. Tags, merge keys and further documents are
 * errors. Size, depth and what aliases expand to are bounded.
 */
#ifndef COHORT_DOCUMENT_H
#define COHORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "text/report.h"

#define DOCUMENT_BYTES_MAX (16 * 1024 * 1024)
#define DOCUMENT_SIZE_MAX 1000000	/* with every alias written out */
#define DOCUMENT_TEXT_UNIT 16		/* bytes of text that count like a value */
#define DOCUMENT_DEPTH_MAX 32
#define DOCUMENT_ANCHORS_MAX 256

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
	enum node_kind kind;
	bool plain;		/* scalar: written without quotes */
	bool bad;		/* an error in it was reported: see map.h */
	bool open;		/* its end has not been read yet */
	int line;
	char *text;		/* scalar */
	struct node **items;	/* list: items; map: key, value, key, value */
	size_t nitems;		/* map: twice the number of keys */
	size_t size;		/* of all in it, aliases written out */
	size_t height;		/* levels in it, 1 for a scalar */
	struct node *next;	/* all nodes of the document */
};

struct document;

/* NULL if the text is no document; the reason was reported. */
struct document *document_load(const char *text, size_t len,
			       struct report *report);
/* The same for a file of any number of documents: the root is a list of
 * them, without those that are empty. */
struct document *document_load_stream(const char *text, size_t len,
				      struct report *report);
void document_destroy(struct document *doc);
struct node *document_root(const struct document *doc);

/* The value of a map's key, or NULL; also NULL if `map` is no map. */
struct node *node_find(const struct node *map, const char *key);

#endif /* COHORT_DOCUMENT_H */
