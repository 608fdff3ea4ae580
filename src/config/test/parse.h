/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - documents and the messages about them, for tables of cases
 */
#ifndef COHORT_TEST_PARSE_H
#define COHORT_TEST_PARSE_H

#include "conf.h"
#include "test/tests.h"

/* All messages, a line each */
struct said {
	char text[16384];
	size_t errors;
	size_t warnings;
};

/* A conf_report_f; arg: a struct said */
void said_add(void *arg, bool warning, const char *message);

/* says: the messages, a line each, without the file's name: "3: priority: ..."
 * and "" if there are none */
struct parse_case {
	const char *text;
	const char *says;
};

/* Puts each case's text into the wrap's only %s and parses that. There must be
 * a conf exactly if no error was reported. */
void parse_cases(const char *wrap, const struct parse_case *cases, size_t n);

/* Parses a text that has no errors; its warnings go to said if not NULL. */
struct conf *parse_good(const char *text, struct said *said);

#endif /* COHORT_TEST_PARSE_H */
