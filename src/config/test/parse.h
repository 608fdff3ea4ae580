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

/* Ends of messages */
#define OF_TIME " (minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)"
#define NO_WEIGHT " is not a weight (a number from 0 to 1000000 with up to 3 decimals)"
#define NO_AMOUNT " is not an amount (a whole number, with a suffix K, M, G, T or P if wanted)"
#define NO_VALUE " has no value (leave the key out for the default)"

/* says: the messages, a line each, without the file's name: "3: priority: ..."
 * and "" if there are none. A line without a number is the end of a message. */
struct parse_case {
	const char *text;
	const char *says;
};

/* Puts each case's text into the wrap's only %s and parses that. There must be
 * a conf exactly if no error was reported. at: how messages begin that are not whole */
void parse_cases(const char *wrap, const char *at, const struct parse_case *cases, size_t n);

/* A test of one table */
#define TEST_PARSE(name, wrap, at, cases) \
	static void name(void **state) \
	{ \
		parse_cases(wrap, at, cases, COUNT(cases)); \
	}

/* Parses a text that has no errors; its warnings go to said if not NULL. */
struct conf *parse_good(const char *text, struct said *said);

#endif /* COHORT_TEST_PARSE_H */
