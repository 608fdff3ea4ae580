/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * provenance.c - the plugin's text in the system comment of a job that was
 * preempted
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/provenance.h"
#include "output/text.h"

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

bool provenance_parse(const char *text, struct provenance *p)
{
	char number[PROVENANCE_SIZE], turns[PROVENANCE_SIZE], *end;

	memset(p, 0, sizeof(*p));
	text = between(text, "preempted at ", " by job ", p->when,
		       sizeof(p->when));
	text = between(text, " by job ", " (", number, sizeof(number));
	if (!text)
		return false;
	text_date_read(p->when, &p->at);
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
	p->count = strtoll(number, NULL, 10);
	if (between(text, ", turns ", "", turns, sizeof(turns)))
		p->turns = strtoll(turns, NULL, 10);
	if (!between(text, "counted ", "", number, sizeof(number)))
		return false;
	p->counted = strtoll(number, &end, 10);
	if (!strncmp(end, " of ", 4))
		p->max = strtoll(end + 4, NULL, 10);
	return true;
}
