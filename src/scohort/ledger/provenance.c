/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * provenance.c - the plugin's text in the system comment of a job that was
 * preempted
 */
#define _GNU_SOURCE	/* strptime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ledger/provenance.h"

/* The text between two others; the rest is after the second one */
static const char *between(const char *text, const char *before,
			   const char *after, char *to, size_t size)
{
	const char *begin = text ? strstr(text, before) : NULL, *end;

	if (!begin)
		return NULL;
	begin += strlen(before);
	end = *after ? strstr(begin, after) : begin + strlen(begin);
	if (!end)
		return NULL;
	snprintf(to, size, "%.*s", (int) (end - begin), begin);
	return end;
}

/* "2026-11-21T09:31:07", as slurmctld's time zone has it */
static int64_t seconds_of(const char *when)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end = strptime(when, "%Y-%m-%dT%H:%M:%S", &tm);

	return end && !*end ? mktime(&tm) : 0;
}

bool provenance_parse(const char *text, struct provenance *p)
{
	char number[PROVENANCE_SIZE], *end;

	memset(p, 0, sizeof(*p));
	text = between(text, "preempted at ", " by job ", p->when,
		       sizeof(p->when));
	text = between(text, " by job ", " (", number, sizeof(number));
	if (!text)
		return false;
	p->at = seconds_of(p->when);
	p->by = strtoll(number, NULL, 10);
	text = between(text, "(cluster queue ", ")", p->queue,
		       sizeof(p->queue));
	text = between(text, "rule ", ", ", p->rule, sizeof(p->rule));
	text = between(text, ", ", ", ran ", p->numbers, sizeof(p->numbers));
	text = between(text, ", ran ", " s", number, sizeof(number));
	if (!text)
		return false;
	p->ran = strtoll(number, NULL, 10);
	if (!between(text, "preemption ", "", number, sizeof(number)))
		return false;
	p->count = strtoll(number, &end, 10);
	if (!strncmp(end, " of ", 4))
		p->max = strtoll(end + 4, NULL, 10);
	return true;
}
