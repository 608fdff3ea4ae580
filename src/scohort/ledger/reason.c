/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.c - sentences about what a job waits for
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "ledger/reason.h"
#include "output/text.h"

static enum reason_kind kind_of_run(struct json_object *run)
{
	const char *word = json_text(run, "wait"), *by = json_text(run, "by");
	bool until = json_number(run, "until") > 0, flavor = *json_text(run, "flavor");
	int kind = 0;

	for (; kind < REASON_OTHER; kind++) {
		const struct reason_form *form = &reason_forms[kind];

		if (!strcmp(form->word, word) && !strcmp(form->by ? form->by : "", by)
		    && reason_has(kind, "until") == until && reason_has(kind, "flavor") == flavor)
			break;
	}
	return (enum reason_kind) kind;
}

void reason_of_run(struct reason *r, struct json_object *run)
{
	reason_init(r);
	r->kind = kind_of_run(run);
	for (int i = 0; i < REASON_NUMBERS; i++) {
		if (json_member(run, reason_number_names[i]))
			r->numbers[i] = json_number(run, reason_number_names[i]);
	}
	snprintf(r->resource, sizeof(r->resource), "%s", json_text(run, "resource"));
	snprintf(r->flavor, sizeof(r->flavor), "%s", json_text(run, "flavor"));
	snprintf(r->shown, sizeof(r->shown), "%s", json_text(run, "wait"));
	text_date(r->until, sizeof(r->until), json_number(run, "until"));
}

/* ---- the sentence ---- */

struct words {
	const struct reason *r;
	const char *queue_name, *stop;
};

/* What is not known, as jobs are private, is left out. */
static void number_print(const struct reason *r, const char *field, char *to, size_t size)
{
	int i = 0;

	while (i < REASON_NUMBERS && strcmp(field, reason_number_names[i]) != 0)
		i++;
	if (i == REASON_NUMBERS)
		return;
	if (i != REASON_NEED)
		text_amount(to, size, r->resource, r->numbers[i]);
	else if (r->numbers[i] < 0)
		snprintf(to, size, "%s", r->resource);
	else
		text_amount_of(to, size, r->resource, r->numbers[i]);
}

static void word_print(const void *arg, const char *field, char *to, size_t size)
{
	const struct words *w = arg;
	const struct reason *r = w->r;
	int64_t jobs = r->numbers[REASON_VICTIMS];

	if (!strcmp(field, "queue"))
		snprintf(to, size, "%s", w->queue_name);
	else if (!strcmp(field, "stop"))
		snprintf(to, size, *w->stop ? " (stopPolicy %s)" : "%s", w->stop);
	else if (!strcmp(field, "flavor"))
		snprintf(to, size, "%s", *r->flavor ? r->flavor : "any");
	else if (!strcmp(field, "until"))
		snprintf(to, size, "%s", r->until);
	else if (!strcmp(field, "shown"))
		snprintf(to, size, "%s", r->shown);
	else if (!strcmp(field, "jobs"))
		snprintf(to, size, "%" PRId64 " job%s", jobs, text_s(jobs));
	else if (!strcmp(field, "are"))
		snprintf(to, size, "%s", jobs == 1 ? "is" : "are");
	else
		number_print(r, field, to, size);
}

void reason_sentence(const struct reason *r, const char *queue_name, struct json_object *queue,
		     char *text, size_t size)
{
	struct words words = { r, queue_name, published_stop(queue) };

	text[0] = '\0';
	if (r->kind != REASON_OTHER || *r->shown)
		reason_expand(text, size, reason_forms[r->kind].sentence, word_print, &words);
}
