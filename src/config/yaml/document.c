/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.c - makes a tree of libyaml's events
 *
 * libyaml's own documents would not do: they take tags for granted, refuse an
 * anchor that comes twice, and have no bounds. The document owns every node, so
 * that a branch may be in several places.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "yaml/document.h"

struct document {
	struct node *root;
	struct node *nodes;	/* all nodes, linked by next */
};

struct loader {
	yaml_parser_t parser;
	struct document *doc;
	struct report *report;
	const char *text;
	struct node *anchored[DOCUMENT_ANCHORS_MAX];
	size_t nanchored;
};

/* Each is NULL, after it has reported why there is no node. */
#define no_node(l, line, ...) \
	(report_error((l)->report, NULL, (line), __VA_ARGS__), NULL)
#define no_memory(l) (report_nomem((l)->report), NULL)

static int mark_line(yaml_mark_t mark)
{
	return (int) mark.line + 1;
}

/* ---- nodes ---- */

/* Items grow at powers of two. */
static int node_append(struct loader *l, struct node *to, struct node *item)
{
	size_t n = to->nitems;
	struct node **items;

	if (!(n & (n - 1))) {
		items = realloc(to->items, (n ? 2 * n : 1) * sizeof(*items));
		if (!items)
			return report_nomem(l->report);
		to->items = items;
	}
	to->items[to->nitems++] = item;
	to->size += item->size;
	if (to->height < item->height + 1)
		to->height = item->height + 1;
	return 0;
}

/* The meaning of every value is known by its key: a tag could only be ignored. */
static struct node *node_create(struct loader *l, enum node_kind kind, int line,
				const yaml_char_t *tag, const yaml_char_t *anchor)
{
	struct node *node;

	if (tag)
		return no_node(l, line, "tag %s: tags are not used here (leave it out)",
			       (const char *) tag);
	if (anchor && l->nanchored == DOCUMENT_ANCHORS_MAX)
		return no_node(l, line, "more than %d anchors", DOCUMENT_ANCHORS_MAX);
	node = calloc(1, sizeof(*node));
	if (!node)
		return no_memory(l);
	*node = (struct node) {
		.kind = kind, .line = line, .size = 1, .height = 1,
		.at.key = "", .next = l->doc->nodes,
	};
	l->doc->nodes = node;
	if (!anchor)
		return node;
	node->anchor = strdup((const char *) anchor);
	if (!node->anchor)
		return no_memory(l);
	l->anchored[l->nanchored++] = node;
	return node;
}

/* A name stands for its latest anchor. */
static struct node *alias_find(struct loader *l, const yaml_char_t *anchor, int line)
{
	const char *name = (const char *) anchor;
	size_t i = l->nanchored;

	while (i && strcmp(l->anchored[i - 1]->anchor, name) != 0)
		i--;
	if (i && !l->anchored[i - 1]->open)
		return l->anchored[i - 1];
	if (i)
		return no_node(l, line, "alias *%s is inside the value that it names", name);
	return no_node(l, line, "alias *%s: there is no anchor &%s before it", name, name);
}

/* ---- events ---- */

static int syntax_error(struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	const char *problem = p->problem ? p->problem : "not understood";
	const char *context = p->context ? p->context : "";
	int line = mark_line(p->problem_mark);
	char begins[48] = "";

	if (p->error == YAML_MEMORY_ERROR)
		return report_nomem(l->report);
	if (p->error == YAML_READER_ERROR) {	/* it has no mark */
		line = 1;
		for (size_t i = 0; i < p->problem_offset; i++)
			line += l->text[i] == '\n';
		return report_error(l->report, NULL, line, "byte 0x%02x is not UTF-8 text (%s)",
				    p->problem_value, problem);
	}
	if (*context && p->context_mark.line != p->problem_mark.line)
		snprintf(begins, sizeof(begins), " that begins on line %d",
			 mark_line(p->context_mark));
	return report_error(l->report, NULL, line, "YAML syntax, column %zu: %s%s%s%s",
			    p->problem_mark.column + 1, problem, *context ? ", " : "", context,
			    begins);
}

static int event_next(struct loader *l, yaml_event_t *event)
{
	return yaml_parser_parse(&l->parser, event) ? 0 : syntax_error(l);
}

static struct node *scalar_load(struct loader *l, const yaml_event_t *event, int line)
{
	const char *value = (const char *) event->data.scalar.value;
	size_t length = event->data.scalar.length;
	struct node *node;

	if (strlen(value) != length)
		return no_node(l, line, "a text contains \\0");
	node = node_create(l, NODE_SCALAR, line, event->data.scalar.tag, event->data.scalar.anchor);
	if (!node)
		return NULL;
	node->text = strdup(value);
	if (!node->text)
		return no_memory(l);
	node->size += length / DOCUMENT_TEXT_UNIT;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->begin = event->start_mark.index;
	node->end = event->end_mark.index;
	return node;
}

/* depth: of the list or map itself, 1 for the root */
static int item_add(struct loader *l, struct node *to, struct node *item, size_t depth, int line)
{
	if (to->kind == NODE_MAP && to->nitems % 2 == 0 && item->kind != NODE_SCALAR)
		return report_error(l->report, NULL, line, "a key cannot be a list or a map");
	if (depth + item->height > DOCUMENT_DEPTH_MAX)
		return report_error(l->report, NULL, line, "nested deeper than %d levels",
				    DOCUMENT_DEPTH_MAX);
	if (to->size + item->size > DOCUMENT_SIZE_MAX)
		return report_error(l->report, NULL, line, "too much: more than %d values, or as "
				    "much in long texts, with all aliases written out",
				    DOCUMENT_SIZE_MAX);
	return node_append(l, to, item);
}

static struct node *node_load(struct loader *l, const yaml_event_t *event, size_t depth);

/* Reads all up to the end of the list or map. */
static struct node *items_load(struct loader *l, struct node *node, size_t depth)
{
	yaml_event_t event;

	if (!node)
		return NULL;
	node->open = true;
	while (event_next(l, &event) == 0) {
		bool end = event.type == YAML_SEQUENCE_END_EVENT ||
			   event.type == YAML_MAPPING_END_EVENT;
		struct node *item = end ? NULL : node_load(l, &event, depth);
		int line = mark_line(event.start_mark);

		node->end = event.end_mark.index;
		yaml_event_delete(&event);
		if (end) {
			node->open = false;
			return node;
		}
		if (!item || item_add(l, node, item, depth, line) < 0)
			return NULL;
	}
	return NULL;
}

/* The node that begins with the event; NULL after an error. depth: how many
 * lists and maps it is in */
static struct node *node_load(struct loader *l, const yaml_event_t *event, size_t depth)
{
	int line = mark_line(event->start_mark);
	struct node *node;

	if (event->type == YAML_SCALAR_EVENT)
		return scalar_load(l, event, line);
	if (event->type == YAML_ALIAS_EVENT)
		return alias_find(l, event->data.alias.anchor, line);
	if (depth == DOCUMENT_DEPTH_MAX)
		return no_node(l, line, "nested deeper than %d levels", DOCUMENT_DEPTH_MAX);
	if (event->type == YAML_SEQUENCE_START_EVENT)
		node = node_create(l, NODE_LIST, line, event->data.sequence_start.tag,
				   event->data.sequence_start.anchor);
	else
		node = node_create(l, NODE_MAP, line, event->data.mapping_start.tag,
				   event->data.mapping_start.anchor);
	if (node)
		node->begin = event->start_mark.index;
	return items_load(l, node, depth + 1);
}

/* ---- texts ---- */

/* libyaml reports a document without content as this node. */
static bool node_empty(const struct node *node)
{
	return node->kind == NODE_SCALAR && node->plain && !*node->text;
}

/* Makes the root a list of all documents that are not empty; stream: there may be
 * more than one. */
static int documents_load(struct loader *l, bool stream)
{
	size_t documents = 0;
	yaml_event_t event;
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		struct node *node;
		int line;

		if (event_next(l, &event) < 0)
			return -1;
		line = mark_line(event.start_mark);
		end = event.type == YAML_STREAM_END_EVENT;
		if (event.type == YAML_DOCUMENT_START_EVENT && documents++ && !stream) {
			rc = report_error(l->report, NULL, line, "a second document begins (one "
					  "file, one document: remove the \"---\")");
		} else if (!end && event.type != YAML_STREAM_START_EVENT &&
			   event.type != YAML_DOCUMENT_START_EVENT &&
			   event.type != YAML_DOCUMENT_END_EVENT) {
			node = node_load(l, &event, 0);
			rc = !node ? -1 : node_empty(node) ? 0 : node_append(l, l->doc->root, node);
		}
		yaml_event_delete(&event);
	}
	return rc;
}

static int text_load(struct loader *l, size_t len, bool stream)
{
	int rc;

	if (len > DOCUMENT_BYTES_MAX)
		return report_error(l->report, NULL, 0, "is larger than %d MiB",
				    DOCUMENT_BYTES_MAX / 1024 / 1024);
	l->doc = calloc(1, sizeof(*l->doc));
	if (!l->doc || !yaml_parser_initialize(&l->parser))
		return report_nomem(l->report);
	yaml_parser_set_encoding(&l->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&l->parser, (const unsigned char *) l->text, len);
	l->doc->root = node_create(l, NODE_LIST, 1, NULL, NULL);
	rc = l->doc->root ? documents_load(l, stream) : -1;
	yaml_parser_delete(&l->parser);
	if (rc < 0 || stream)
		return rc;
	if (!l->doc->root->nitems)
		return report_error(l->report, NULL, 1, "is empty");
	l->doc->root = l->doc->root->items[0];
	return 0;
}

static struct document *load(const char *text, size_t len, bool stream, struct report *report)
{
	struct loader l = { .report = report, .text = text };

	if (text_load(&l, len, stream) == 0)
		return l.doc;
	document_destroy(l.doc);
	return NULL;
}

struct document *document_load(const char *text, size_t len, struct report *report)
{
	return load(text, len, false, report);
}

struct document *document_load_stream(const char *text, size_t len, struct report *report)
{
	return load(text, len, true, report);
}

void document_destroy(struct document *doc)
{
	int saved = errno;
	struct node *node, *next;

	if (!doc)
		return;
	for (node = doc->nodes; node; node = next) {
		next = node->next;
		free(node->text);
		free(node->anchor);
		free(node->items);
		free(node);
	}
	free(doc);
	errno = saved;
}

struct node *document_root(const struct document *doc)
{
	return doc->root;
}

size_t node_length(const struct node *n)
{
	if (!n)
		return 0;
	return n->kind == NODE_MAP ? n->nitems / 2 : n->nitems;
}

struct node *node_item(const struct node *n, size_t i)
{
	bool map = n->kind == NODE_MAP;
	struct node *item = n->items[map ? 2 * i + 1 : i];

	item->at = (struct place) {
		.up = &n->at, .key = map ? n->items[2 * i]->text : NULL,
		.index = i,
	};
	return item;
}

struct node *node_find(const struct node *map, const char *key)
{
	if (!map || map->kind != NODE_MAP)
		return NULL;
	for (size_t i = 0; i < map->nitems; i += 2)
		if (!strcmp(map->items[i]->text, key))
			return node_item(map, i / 2);
	return NULL;
}
