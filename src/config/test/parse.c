/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c - documents and the messages about them, for tables of cases
 */
#include <ctype.h>

#include "parse.h"

#define FILE_NAME "cohort.yaml"

void said_add(void *arg, bool warning, const char *message)
{
	struct said *said = arg;
	size_t used = strlen(said->text);
	const char *prefix = FILE_NAME ":";

	*(warning ? &said->warnings : &said->errors) += 1;
	assert_int_equal(strncmp(message, prefix, strlen(prefix)), 0);
	message += strlen(prefix);
	if (*message == ' ')
		message++;
	snprintf(said->text + used, sizeof(said->text) - used, "%s%s", used ? "\n" : "", message);
}

/* Each line of `says`; those that begin with a number are whole */
static void says_complete(const char *at, const char *says, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*says) {
		size_t n = strcspn(says, "\n");

		used += snprintf(buf + used, size - used, "%s%s%.*s", used ? "\n" : "",
				 isdigit((unsigned char) *says) ? "" : at, (int) n, says);
		assert_in_range(used, 1, size - 1);
		says += n + !!says[n];
	}
}

static void case_check(const char *wrap, const char *at, const struct parse_case *c)
{
	static char text[8192], says[8192];
	static struct said said;
	struct conf *conf;
	int n;

	n = snprintf(text, sizeof(text), wrap, c->text);
	assert_in_range(n, 0, sizeof(text) - 1);
	says_complete(at, c->says, says, sizeof(says));
	memset(&said, 0, sizeof(said));
	conf = conf_read_text(FILE_NAME, text, n, said_add, &said);
	if (strcmp(said.text, says) != 0) {
		print_error("%s\n--- expected:\n%s\n--- said:\n%s\n", text, says, said.text);
		fail();
	}
	assert_int_equal(conf == NULL, said.errors > 0);
	if (conf)
		assert_int_equal(conf->warnings, said.warnings);
	conf_destroy(conf);
}

void parse_cases(const char *wrap, const char *at, const struct parse_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		case_check(wrap, at, &cases[i]);
}

struct conf *parse_good(const char *text, struct said *said)
{
	static struct said own;
	struct conf *conf;

	if (!said)
		said = &own;
	memset(said, 0, sizeof(*said));
	conf = conf_read_text(FILE_NAME, text, strlen(text), said_add, said);
	if (!conf)
		print_error("%s\n--- said:\n%s\n", text, said->text);
	assert_non_null(conf);
	return conf;
}
