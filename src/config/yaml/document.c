/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.c - makes a tree of libyaml's events
 *
 * Nodes are built on a stack of open lists and maps. The document owns every
 * node, so that a branch may be in several places.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "text/utf8.h"
#include "yaml/document.h"

struct anchor {
	char *name;
	struct node *node;
};

struct document {
	struct node *root;
	struct node *nodes;	/* all nodes, linked by next */
};

struct loader {
	yaml_parser_t parser;
	struct document *doc;
	struct report *report;
	struct node *stack[DOCUMENT_DEPTH_MAX];
	size_t depth;
	struct anchor anchors[DOCUMENT_ANCHORS_MAX];
	size_t nanchors;
	size_t ndocuments;
	bool stream;		/* any number of documents */
};

static int mark_line(yaml_mark_t mark)
{
	return (int) mark.line + 1;
}

/* ---- nodes ---- */

static struct node *node_create(struct loader *l, enum node_kind kind, int line)
{
	struct node *node;

	node = calloc(1, sizeof(*node));
	if (!node) {
		report_nomem(l->report);
		return NULL;
	}
	node->kind = kind;
	node->line = line;
	node->at.key = "";
	node->size = 1;
	node->height = 1;
	node->next = l->doc->nodes;
	l->doc->nodes = node;
	return node;
}

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
	return 0;
}

static void node_measure(struct node *to, const struct node *item)
{
	to->size += item->size;
	if (to->height < item->height + 1)
		to->height = item->height + 1;
}

/* libyaml reports a document without content as this node. */
static bool node_empty(const struct node *node)
{
	return node->kind == NODE_SCALAR && node->plain && !*node->text;
}

/* Puts a complete node at the present place in the document: as the next item
 * of a list, as the next key or value of a map, or as the root. */
static int node_attach(struct loader *l, struct node *node, int line)
{
	struct node *to = l->depth ? l->stack[l->depth - 1] : NULL;

	if (!to && l->stream)
		return node_empty(node) ? 0 : node_append(l, l->doc->root, node);
	if (!to) {
		l->doc->root = node;
		return 0;
	}
	if (to->kind == NODE_MAP && to->nitems % 2 == 0 &&
	    node->kind != NODE_SCALAR)
		return report_error(l->report, NULL, line,
				    "a key cannot be a list or a map");
	if (l->depth + node->height > DOCUMENT_DEPTH_MAX)
		return report_error(l->report, NULL, line, "nested deeper than "
				    "%d levels", DOCUMENT_DEPTH_MAX);
	node_measure(to, node);
	if (to->size > DOCUMENT_SIZE_MAX)
		return report_error(l->report, NULL, line, "too much: more "
				    "than %d values, or as much in long texts, "
				    "with all aliases written out",
				    DOCUMENT_SIZE_MAX);
	return node_append(l, to, node);
}

/* ---- anchors ---- */

static int anchor_add(struct loader *l, const yaml_char_t *name,
		      struct node *node)
{
	struct anchor *anchor;

	if (!name)
		return 0;
	if (l->nanchors == DOCUMENT_ANCHORS_MAX)
		return report_error(l->report, NULL, node->line, "more than %d "
				    "anchors", DOCUMENT_ANCHORS_MAX);
	anchor = &l->anchors[l->nanchors];
	anchor->name = strdup((const char *) name);
	if (!anchor->name)
		return report_nomem(l->report);
	anchor->node = node;
	l->nanchors++;
	return 0;
}

/* A name stands for its latest anchor. */
static int alias_load(struct loader *l, const yaml_event_t *event)
{
	const char *name = (const char *) event->data.alias.anchor;
	int line = mark_line(event->start_mark);
	struct node *node;
	size_t i = l->nanchors;

	while (i && strcmp(l->anchors[i - 1].name, name) != 0)
		i--;
	if (!i)
		return report_error(l->report, NULL, line, "alias *%s: there is "
				    "no anchor &%s before it", name, name);
	node = l->anchors[i - 1].node;
	if (node->open)
		return report_error(l->report, NULL, line, "alias *%s is "
				    "inside the value that it names", name);
	return node_attach(l, node, line);
}

/* ---- events ---- */

/* The meaning of every value is known by its key; a tag could only be
 * ignored. */
static int tag_refuse(struct loader *l, const yaml_char_t *tag, int line)
{
	if (!tag)
		return 0;
	return report_error(l->report, NULL, line, "tag %s: tags are not used "
			    "here (leave it out)", (const char *) tag);
}

static int scalar_load(struct loader *l, const yaml_event_t *event)
{
	const char *value = (const char *) event->data.scalar.value;
	int line = mark_line(event->start_mark);
	struct node *node;

	if (tag_refuse(l, event->data.scalar.tag, line) < 0)
		return -1;
	if (strlen(value) != event->data.scalar.length)
		return report_error(l->report, NULL, line,
				    "a text contains \\0");
	node = node_create(l, NODE_SCALAR, line);
	if (!node)
		return -1;
	node->text = strdup(value);
	if (!node->text)
		return report_nomem(l->report);
	node->size += event->data.scalar.length / DOCUMENT_TEXT_UNIT;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	if (anchor_add(l, event->data.scalar.anchor, node) < 0)
		return -1;
	return node_attach(l, node, line);
}

static int collection_open(struct loader *l, enum node_kind kind,
			   const yaml_event_t *event, const yaml_char_t *tag,
			   const yaml_char_t *anchor)
{
	int line = mark_line(event->start_mark);
	struct node *node;

	if (tag_refuse(l, tag, line) < 0)
		return -1;
	if (l->depth == DOCUMENT_DEPTH_MAX)
		return report_error(l->report, NULL, line, "nested deeper than "
				    "%d levels", DOCUMENT_DEPTH_MAX);
	node = node_create(l, kind, line);
	if (!node || anchor_add(l, anchor, node) < 0)
		return -1;
	node->open = true;
	l->stack[l->depth++] = node;
	return 0;
}

static int collection_close(struct loader *l)
{
	struct node *node = l->stack[--l->depth];

	node->open = false;
	return node_attach(l, node, node->line);
}

static int document_open(struct loader *l, const yaml_event_t *event)
{
	if (!l->ndocuments++ || l->stream)
		return 0;
	return report_error(l->report, NULL, mark_line(event->start_mark),
			    "a second document begins (one file, one "
			    "document: remove the \"---\")");
}

/* 1 at the end of the stream */
static int event_load(struct loader *l, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return document_open(l, event);
	case YAML_SCALAR_EVENT:
		return scalar_load(l, event);
	case YAML_ALIAS_EVENT:
		return alias_load(l, event);
	case YAML_SEQUENCE_START_EVENT:
		return collection_open(l, NODE_LIST, event,
				       event->data.sequence_start.tag,
				       event->data.sequence_start.anchor);
	case YAML_MAPPING_START_EVENT:
		return collection_open(l, NODE_MAP, event,
				       event->data.mapping_start.tag,
				       event->data.mapping_start.anchor);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return collection_close(l);
	case YAML_STREAM_END_EVENT:
		return 1;
	default:
		return 0;
	}
}

/* ---- texts ---- */

static int syntax_error(struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	const char *problem = p->problem ? p->problem : "not understood";

	if (p->error == YAML_MEMORY_ERROR)
		return report_nomem(l->report);
	if (p->context && p->context_mark.line != p->problem_mark.line)
		return report_error(l->report, NULL, mark_line(p->problem_mark),
				    "YAML syntax, column %zu: %s, %s that "
				    "begins on line %d",
				    p->problem_mark.column + 1, problem,
				    p->context, mark_line(p->context_mark));
	return report_error(l->report, NULL, mark_line(p->problem_mark),
			    "YAML syntax, column %zu: %s%s%s",
			    p->problem_mark.column + 1, problem,
			    p->context ? ", " : "",
			    p->context ? p->context : "");
}

static int events_load(struct loader *l)
{
	yaml_event_t event;
	int rc = 0;

	while (!rc) {
		if (!yaml_parser_parse(&l->parser, &event))
			return syntax_error(l);
		rc = event_load(l, &event);
		yaml_event_delete(&event);
	}
	return rc < 0 ? -1 : 0;
}

/* libyaml takes UTF-16, too, and says "control characters" where a line would
 * be more useful. */
static int text_check(const char *text, size_t len, struct report *report)
{
	size_t good;
	int line = 1;

	if (len > DOCUMENT_BYTES_MAX)
		return report_error(report, NULL, 0, "is larger than %d MiB",
				    DOCUMENT_BYTES_MAX / 1024 / 1024);
	good = utf8_span(text, len);
	if (good == len)
		return 0;
	for (size_t i = 0; i < good; i++)
		line += text[i] == '\n';
	return report_error(report, NULL, line, "byte 0x%02x is not UTF-8 text",
			    (unsigned char) text[good]);
}

static int loader_run(struct loader *l, const char *text, size_t len)
{
	int rc;

	if (!yaml_parser_initialize(&l->parser))
		return report_nomem(l->report);
	yaml_parser_set_input_string(&l->parser, (const unsigned char *) text,
				     len);
	rc = events_load(l);
	yaml_parser_delete(&l->parser);
	for (size_t i = 0; i < l->nanchors; i++)
		free(l->anchors[i].name);
	if (rc < 0)
		return -1;
	if (!l->doc->root || node_empty(l->doc->root))
		return report_error(l->report, NULL, 1, "is empty");
	return 0;
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
		free(node->items);
		free(node);
	}
	free(doc);
	errno = saved;
}

/* A document without nodes, or with an empty list to which documents are
 * added */
static struct document *document_create(struct loader *l)
{
	l->doc = calloc(1, sizeof(*l->doc));
	if (!l->doc) {
		report_nomem(l->report);
		return NULL;
	}
	if (l->stream) {
		l->doc->root = node_create(l, NODE_LIST, 1);
		if (!l->doc->root) {
			document_destroy(l->doc);
			l->doc = NULL;
		}
	}
	return l->doc;
}

static struct document *text_load(const char *text, size_t len, bool stream,
				  struct report *report)
{
	struct document *doc = NULL;
	struct loader *l;

	if (text_check(text, len, report) < 0)
		return NULL;
	l = calloc(1, sizeof(*l));
	if (!l) {
		report_nomem(report);
		return NULL;
	}
	l->report = report;
	l->stream = stream;
	doc = document_create(l);
	if (doc && loader_run(l, text, len) < 0) {
		document_destroy(doc);
		doc = NULL;
	}
	free(l);
	return doc;
}

struct document *document_load(const char *text, size_t len,
			       struct report *report)
{
	return text_load(text, len, false, report);
}

struct document *document_load_stream(const char *text, size_t len,
				      struct report *report)
{
	return text_load(text, len, true, report);
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
