/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile.c - texts that no site would write
 *
 * Mutations of a good file from a fixed seed: whatever comes, there is a conf
 * or an error, and never both. With sanitizers it finds more; without, it is
 * still a test that nothing crashes or hangs.
 */
#include <limits.h>

#include "parse.h"

#define MUTATIONS 3000
#define TEXT_MAX 65536

static char *seed_text;
static size_t seed_len;
static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

/* xorshift64*: the same numbers everywhere */
static size_t number(size_t below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (size_t) ((random_state * UINT64_C(2685821657736338717)) >> 33) % below;
}

/* Bytes and words that matter to YAML, to TRES strings and to our keys */
static const char *const words[] = {
	"&a ", "*a", "- ", ": ", "{", "}", "[", "]", "\"", "'", "#", "\n",
	"\n  ", "\n        ", "---\n", "...\n", "!!str ", "|\n", ">\n", "~",
	"? ", "<<: *a", "null", "0", "-1", "18446744073709551616", "1e9",
	"9007199254740991", ",", "=", "cpu=", "cpu", "gpu=8", "mem=1P",
	"gres/gpu", "gres/", "license/x@y", "\\0", "\\x00", "\xff", "\xc3\xa9",
	"\xef\xbb\xbf", "\t", "\r", "name", "name: a100", "cohort: ml",
	"parent: ml", "match", "Any", "LowerPriority", "minAdmitDuration: 4h",
	"fairSharing: {weight: 2}", "4:00:00", "2-12", "30s", "true", "%YAML ",
};

static void text_insert(char *text, size_t *len, size_t at, const char *what, size_t n)
{
	if (*len + n >= TEXT_MAX)
		return;
	memmove(text + at + n, text + at, *len - at);
	memcpy(text + at, what, n);
	*len += n;
}

static void text_remove(char *text, size_t *len, size_t at, size_t n)
{
	if (n > *len - at)
		n = *len - at;
	memmove(text + at, text + at + n, *len - at - n);
	*len -= n;
}

/* One change: a byte or a word; a piece removed, doubled or moved; the end
 * cut */
static void text_mutate(char *text, size_t *len)
{
	size_t at = number(*len + 1), n = 1 + number(80);
	const char *word = words[number(COUNT(words))];
	char piece[80];

	switch (number(6)) {
	case 0:
		if (at < *len)
			text[at] = (char) number(256);
		break;
	case 1:
		text_insert(text, len, at, word, strlen(word));
		break;
	case 2:
		text_remove(text, len, at, n);
		text_insert(text, len, at, word, strlen(word));
		break;
	case 3:
		text_remove(text, len, at, n);
		break;
	case 4:
		if (at + n > *len)
			break;
		memcpy(piece, text + at, n);
		if (number(2))
			text_remove(text, len, at, n);
		text_insert(text, len, number(*len + 1), piece, n);
		break;
	default:
		if (!number(20))
			*len = at;
	}
}

static void text_parse(const char *text, size_t len)
{
	static struct said said;
	const struct conf_names names = { .arg = NULL };
	char *exact = malloc(len + !len);	/* so that reading on is seen */
	struct conf *conf;

	assert_non_null(exact);
	memcpy(exact, text, len);
	memset(&said, 0, sizeof(said));
	conf = conf_read_text("cohort.yaml", exact, len, said_add, &said);
	assert_int_equal(conf == NULL, said.errors > 0);
	if (conf) {
		conf_match_queue(conf, "gpu", "normal", "vision", "kim");
		assert_int_equal(conf_check_names(conf, &names, NULL, NULL), 0);
	}
	conf_destroy(conf);
	free(exact);
}

static void test_mutations(void **state)
{
	char *text = malloc(TEXT_MAX);

	assert_non_null(text);
	for (size_t i = 0; i < MUTATIONS; i++) {
		size_t len = seed_len;

		memcpy(text, seed_text, len);
		for (size_t n = 1 + number(8); n; n--)
			text_mutate(text, &len);
		text_parse(text, len);
	}
	free(text);
}

/* Every beginning of the file */
static void test_cut(void **state)
{
	for (size_t len = 0; len < seed_len; len += 1 + seed_len / 500)
		text_parse(seed_text, len);
}

/* Only words, without the help of a good file */
static void test_words(void **state)
{
	char text[1024];

	for (size_t i = 0; i < MUTATIONS; i++) {
		size_t len = 0;

		for (size_t n = number(30); n; n--) {
			const char *word = words[number(COUNT(words))];

			text_insert(text, &len, len, word, strlen(word));
		}
		text_parse(text, len);
	}
}

/* etc/cohort.yaml.example, from COHORT_TOP or a folder above this one */
static FILE *example_open(void)
{
	const char *top = getenv("COHORT_TOP");
	char path[PATH_MAX] = "";
	FILE *f = NULL;

	if (top) {
		snprintf(path, sizeof(path), "%s/etc/cohort.yaml.example", top);
		return fopen(path, "r");
	}
	for (int up = 0; !f && up < 5; up++) {
		snprintf(path, sizeof(path), "%.*setc/cohort.yaml.example",
			 3 * up, "../../../../../");
		f = fopen(path, "r");
	}
	return f;
}

static int seed_load(void **state)
{
	FILE *f = example_open();

	if (!f)
		return -1;
	seed_text = malloc(TEXT_MAX);
	if (seed_text)
		seed_len = fread(seed_text, 1, TEXT_MAX / 2, f);
	fclose(f);
	return seed_len ? 0 : -1;
}

static int seed_free(void **state)
{
	free(seed_text);
	return 0;
}

/* The example itself is right, and causes no message. */
static void test_example(void **state)
{
	struct said said = { .text = "" };
	struct conf *conf;

	conf = conf_read_text("cohort.yaml", seed_text, seed_len, said_add, &said);
	assert_string_equal(said.text, "");
	assert_non_null(conf);
	assert_int_equal(conf->spec->nqueues, 3);
	conf_destroy(conf);
}

TESTS_WITH(seed_load, seed_free, cmocka_unit_test(test_mutations), cmocka_unit_test(test_cut),
	   cmocka_unit_test(test_words), cmocka_unit_test(test_example))
