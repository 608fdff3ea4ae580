/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test document.c - YAML as a tree, and what is no document
 */
#include "parse.h"
#include "yaml/document.h"

static const struct {
	const char *text;
	const char *says;
} wrong[] = {
	/* empty documents */
	{ "", "1: is empty" },
	{ "\n\n", "1: is empty" },
	{ "# only a comment\n", "1: is empty" },
	{ "---\n", "1: is empty" },
	{ "---\n...\n", "1: is empty" },
	/* bad texts */
	{ "a: 1\nb: \xff\n", "2: byte 0xff is not UTF-8 text (invalid leading UTF-8 octet)" },
	{ "\xff\xfe" "a", "1: byte 0xff is not UTF-8 text (invalid leading UTF-8 octet)" },
	{ "a: 1\nb: \x01\n", "2: byte 0x01 is not UTF-8 text (control characters are not "
	  "allowed)" },
	{ "a: \"\\0\"\n", "1: a text contains \\0" },
	/* parts of YAML that are not accepted */
	{ "a: 1\n---\nb: 1\n", "2: a second document begins (one file, one document: remove the "
	  "\"---\")" },
	{ "a: !!str 1\n", "1: tag tag:yaml.org,2002:str: tags are not used here (leave it out)" },
	{ "a: !x {b: 1}\n", "1: tag !x: tags are not used here (leave it out)" },
	{ "- 1\n- !x [2]\n", "2: tag !x: tags are not used here (leave it out)" },
	{ "? [a]\n: 1\n", "1: a key cannot be a list or a map" },
	{ "{{a: 1}: 2}\n", "1: a key cannot be a list or a map" },
	/* aliases */
	{ "a: *b\n", "1: alias *b: there is no anchor &b before it" },
	{ "a: *b\nb: &b 1\n", "1: alias *b: there is no anchor &b before it" },
	{ "a: &a\n  - *a\n", "2: alias *a is inside the value that it names" },
	{ "&a {b: {c: *a}}\n", "1: alias *a is inside the value that it names" },
	/* billion laughs */
	{ "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c "
	  "[*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e "
	  "[*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
	  "6: too much: more than 1000000 values, or as much in long texts, with all aliases "
	  "written out" },
	/* depth: 33 levels, and 17 levels that hold an alias of 17 */
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
	  "1: nested deeper than 32 levels" },
	{ "- &a [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]\n- [[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]\n",
	  "2: nested deeper than 32 levels" },
};

/* Syntax: the line and column; the words are libyaml's. */
static const struct {
	const char *text;
	const char *at;
} syntax[] = {
	{ "a: [1, 2\nb: 3\n", "2: YAML syntax, column 2: " },
	{ "a: 1\n b: 2\n", "2: YAML syntax, column 3: " },
	{ "a: 1\n\tb: 2\n", "2: YAML syntax, column 1: " },
	{ "a: 1\nb: \"x\n", "3: YAML syntax, column 1: " },
	{ "- 1\nb: 2\n", "2: YAML syntax, column 1: " },
	{ "{", "2: YAML syntax, column 1: " },	/* behind the end */
	{ "a: 1\n...\nb: 1\n", "3: YAML syntax, column 1: " },
	{ "%YAML 3.0\n---\na: 1\n", "1: YAML syntax, column 1: " },
};

static struct document *load(const char *text, size_t len, struct said *said)
{
	struct report *report = report_create("cohort.yaml");
	struct document *doc = document_load(text, len, report);

	memset(said, 0, sizeof(*said));
	report_emit(report, said_add, said);
	report_destroy(report);
	return doc;
}

static void test_wrong(void **state)
{
	struct said said;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_null(load(wrong[i].text, strlen(wrong[i].text), &said));
		assert_string_equal(said.text, wrong[i].says);
	}
	assert_null(load("a: 1\0b", 6, &said));
	assert_string_equal(said.text, "1: byte 0x00 is not UTF-8 text (control characters are not "
			    "allowed)");
}

static void test_syntax(void **state)
{
	struct said said;

	for (size_t i = 0; i < COUNT(syntax); i++) {
		assert_null(load(syntax[i].text, strlen(syntax[i].text), &said));
		assert_int_equal(said.errors, 1);
		said.text[strlen(syntax[i].at)] = '\0';
		assert_string_equal(said.text, syntax[i].at);
	}
}

/* text repeated n times, behind a beginning */
static char *repeat(const char *begin, const char *text, size_t n, size_t *len)
{
	size_t head = strlen(begin), part = strlen(text);
	char *all = malloc(head + n * part + 1);

	assert_non_null(all);
	memcpy(all, begin, head);
	for (size_t i = 0; i < n; i++)
		memcpy(all + head + i * part, text, part);
	*len = head + n * part;
	all[*len] = '\0';
	return all;
}

static const struct {
	const char *begin;
	const char *text;
	size_t n;
	const char *says;
} bounds[] = {
	{ "# ", "x", DOCUMENT_BYTES_MAX - 1, "is larger than 16 MiB" },
	{ "", "- 1\n", DOCUMENT_SIZE_MAX, "1000000: too much: more than 1000000 values, or as much "
	  "in long texts, with all aliases written out" },
	{ "", "- &a 1\n", DOCUMENT_ANCHORS_MAX + 1, "257: more than 256 anchors" },
	/* a long text many times */
	{ "- &a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "\n", "- *a\n", 200000, "111112: too much: more than 1000000 values, or as much in long "
	  "texts, with all aliases written out" },
	{ "", "[", 100000, "1: nested deeper than 32 levels" },
	{ "", "{a: ", 100000, "1: nested deeper than 32 levels" },
};

static void test_bounds(void **state)
{
	struct said said;
	size_t len;

	for (size_t i = 0; i < COUNT(bounds); i++) {
		char *text = repeat(bounds[i].begin, bounds[i].text, bounds[i].n, &len);

		assert_null(load(text, len, &said));
		assert_string_equal(said.text, bounds[i].says);
		free(text);
	}
}

/* The tree in one line: key=value of maps, [items], 'quoted' */
static void format(const struct node *n, char *buf, size_t size)
{
	size_t used = strlen(buf);

	if (n->kind == NODE_SCALAR) {
		snprintf(buf + used, size - used, n->plain ? "%s" : "'%s'", n->text);
		return;
	}
	snprintf(buf + used, size - used, n->kind == NODE_LIST ? "[" : "{");
	for (size_t i = 0; i < n->nitems; i++) {
		if (i)
			strncat(buf, n->kind == NODE_MAP && i % 2 ? "=" : " ",
				size - strlen(buf) - 1);
		format(n->items[i], buf, size);
	}
	strncat(buf, n->kind == NODE_LIST ? "]" : "}", size - strlen(buf) - 1);
}

static const struct {
	const char *text;
	const char *tree;
} right[] = {
	{ "a: 1\nb: [x, 'y', \"z\"]\n", "{a=1 b=[x 'y' 'z']}" },
	{ "\xef\xbb\xbf" "a: 1\n", "{a=1}" },		/* with a BOM */
	{ "%YAML 1.1\n---\na: 1\n...\n", "{a=1}" },
	{ "a: 1\r\nb: 2\r\n", "{a=1 b=2}" },
	{ "a:\n  b:\n  - c: {d: }\n", "{a={b=[{c={d=}}]}}" },
	{ "a: {t: 4:00:00, u: gres/gpu:a100}\n", "{a={t=4:00:00 u=gres/gpu:a100}}" },
	{ "{\"a\": [1, true, null], \"b\": {\"c\": \"\\u00e9\"}}",
	  "{'a'=[1 true null] 'b'={'c'='\xc3\xa9'}}" },	/* JSON */
	{ "a: &x {b: 1}\nc: *x\nd: &x 2\ne: *x\n", "{a={b=1} c={b=1} d=2 e=2}" },
	{ "&k a: 1\nb: {*k : 2}\n", "{a=1 b={a=2}}" },
	{ "a: >\n  two\n  lines\n", "{a='two lines\n'}" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
	  "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]" },
};

static void test_right(void **state)
{
	struct document *doc;
	struct said said;

	for (size_t i = 0; i < COUNT(right); i++) {
		char tree[256] = "";

		doc = load(right[i].text, strlen(right[i].text), &said);
		assert_string_equal(said.text, "");
		assert_non_null(doc);
		format(document_root(doc), tree, sizeof(tree));
		assert_string_equal(tree, right[i].tree);
		document_destroy(doc);
	}
	document_destroy(NULL);
}

/* Any number of documents: a list of them, without the empty ones */
static void test_stream(void **state)
{
	static const struct {
		const char *text, *tree;
	} of[] = {
		{ "", "[]" },
		{ "---\n---\n", "[]" },
		{ "a: 1\n", "[{a=1}]" },
		{ "a: 1\n---\nb: 2\n---\n", "[{a=1} {b=2}]" },
		{ "---\n[1]\n...\n---\n''\n", "[[1] '']" },
	};
	struct report *report;

	for (size_t i = 0; i < COUNT(of); i++) {
		struct document *doc;
		char tree[256] = "";

		report = report_create("f");
		doc = document_load_stream(of[i].text, strlen(of[i].text), report);
		assert_non_null(doc);
		format(document_root(doc), tree, sizeof(tree));
		assert_string_equal(tree, of[i].tree);
		document_destroy(doc);
		report_destroy(report);
	}
	report = report_create("f");
	assert_null(document_load_stream("a: 1\n---\n[", 11, report));
	assert_int_equal(report_errors(report), 1);
	report_destroy(report);
}

static void test_lines(void **state)
{
	const char *text = "# one\na: 1\nb:\n  - x\n  -\n    y\nc: {d: 2,\n    e: 3}\n";
	struct said said;
	struct document *doc = load(text, strlen(text), &said);
	const struct node *root = document_root(doc), *b, *c;

	b = node_find(root, "b");
	c = node_find(root, "c");
	assert_int_equal(root->line, 2);
	assert_int_equal(node_find(root, "a")->line, 2);
	assert_int_equal(b->line, 4);
	assert_int_equal(b->items[0]->line, 4);
	assert_int_equal(b->items[1]->line, 6);
	assert_int_equal(c->line, 7);
	assert_int_equal(node_find(c, "e")->line, 8);
	assert_null(node_find(c, "f"));
	assert_null(node_find(b, "x"));
	assert_null(node_find(NULL, "x"));
	document_destroy(doc);
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_syntax), cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_right), cmocka_unit_test(test_stream), cmocka_unit_test(test_lines))
