/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text/reason.c - why a job waits: one table of all words
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/reason.h"

#define PREFIX "Cohort:"
#define QUEUE ",cq="
#define WAIT_LENGTH 95		/* of wait= and its fields */
#define FIELD_SIZE 32

const char *const reason_number_names[REASON_NUMBERS] = {
	[REASON_NEED] = "need", [REASON_FREE] = "free", [REASON_MAX] = "max",
	[REASON_CAP] = "cap", [REASON_USED] = "used", [REASON_VICTIMS] = "victims",
};

const struct reason_form reason_forms[REASON_KINDS] = {
	[REASON_QUOTA] = {
		"quota", NULL, "quota({resource}@{flavor}),need={need},free={free}", 4,
		"It waits for quota: it needs {need} of flavor {flavor}, and {queue} can get "
		"{free} now." },
	[REASON_PREEMPTING] = {
		"preempting", NULL, "preempting({victims})", 2,
		"{jobs} in the quota that it waits for {are} being evicted. It starts, at the "
		"latest, when their nodes are free." },
	[REASON_PROTECTED] = {
		"protected", NULL, "protected(until=unknown)", 4,
		"Jobs that it could evict for quota are protected." },
	[REASON_PROTECTED_UNTIL] = {
		"protected", NULL, "protected(until={until})", 4,
		"Jobs that it could evict for quota are protected by a minimum run time or a "
		"turn. The first protection ends at {until}. Whether their quota is enough "
		"shows then." },
	[REASON_PROTECTED_SPENT] = {
		"protected", "maxPreemptions", "protected(maxPreemptions)", 4,
		"Jobs that it could evict for quota have reached maxPreemptions. They hold it "
		"until they end." },
	[REASON_PROTECTED_FIXED] = {
		"protected", "nonpreemptible", "protected(nonpreemptible)", 4,
		"Jobs that it could evict for quota can't be preempted. They hold it until "
		"they end." },
	[REASON_ORDER] = {
		"order", NULL, "order", 3,
		"Other jobs come first: jobs before it in its queue, or a job in another "
		"cluster queue of the cohort that waits for the same quota." },
	[REASON_HELD] = {
		"held", NULL, "held(cq)", 5,
		"The cluster queue is stopped{stop}: no job starts in it until an "
		"administrator resumes it." },
	[REASON_NEVER] = {
		"never", NULL, "never(max={max}),need={need}_{resource}@{flavor}", 6,
		"It can never start as submitted: it needs {need} of flavor {flavor}, and can "
		"never get more than {max} in {queue}. Request less, or use another cluster "
		"queue." },
	[REASON_NEVER_NODES] = {
		"never", NULL, "never(nodes)", 6,
		"It can never start as submitted (never(nodes)): no flavor of {queue} has "
		"nodes that fit its request." },
	[REASON_NONPREEMPTIBLE] = {
		"nonpreemptible", NULL,
		"nonpreemptible({resource}@{flavor}),cap={cap},used={used},need={need}", 4,
		"Once it runs it can't be preempted. Such jobs of {queue} are limited by "
		"nominal quota: of flavor {flavor} it needs {need}, the limit for all of them "
		"together is {cap}, and they use {used}. It can't start in that flavor before "
		"enough of them have ended." },
	[REASON_YIELDS] = {
		"yields", NULL, "yields", 4,
		"It was evicted before, so it waits for free quota: it evicts other jobs only "
		"for the nominal quota of {queue}, and needs more than that." },
	[REASON_NODES] = {
		"nodes", NULL, "nodes", 0,
		"Quota is available, but no suitable nodes are free." },
	[REASON_NODES_PAUSED] = {
		"nodes", NULL, "nodes,evicts={until}", 0,
		"Quota is available, but no suitable nodes are free. Jobs were evicted for it, "
		"but it could not start. No further job is evicted for it before {until}." },
	[REASON_PASS] = {
		"pass", NULL, "pass", 1,
		"The scheduler has not decided about it yet." },
	[REASON_OTHER] = { "", NULL, "", 1, "It waits for {shown}." },
};

void reason_init(struct reason *r)
{
	r->kind = REASON_OTHER;
	r->place = r->total = r->known = 0;
	for (int i = 0; i < REASON_NUMBERS; i++)
		r->numbers[i] = -1;
	r->resource[0] = r->flavor[0] = r->until[0] = r->queue[0] = r->shown[0] = '\0';
}

bool reason_is(const struct reason *r, const char *word)
{
	return !strcmp(reason_forms[r->kind].word, word);
}

/* ---- of a verdict ---- */

static enum reason_kind protected_kind(const struct verdict *v)
{
	if (v->spent)
		return REASON_PROTECTED_SPENT;
	if (v->fixed)
		return REASON_PROTECTED_FIXED;
	return v->until > 0 && v->until < INT64_MAX ? REASON_PROTECTED_UNTIL
						    : REASON_PROTECTED;
}

/* No default: the compiler finds a reason that is missing here. */
static enum reason_kind wait_kind(const struct verdict *v, bool learned)
{
	switch (v->reason) {
	case WAIT_IS_QUOTA:
		return REASON_QUOTA;
	case WAIT_IS_PREEMPTING:
		return REASON_PREEMPTING;
	case WAIT_IS_PROTECTED:
		return protected_kind(v);
	case WAIT_IS_ORDER:
		return REASON_ORDER;
	case WAIT_IS_HELD:
		return REASON_HELD;
	case WAIT_IS_NEVER:
		return v->flavor < 0 ? REASON_NEVER_NODES
		       : learned     ? REASON_QUOTA
				     : REASON_NEVER;
	case WAIT_IS_NONPREEMPTIBLE:
		return REASON_NONPREEMPTIBLE;
	case WAIT_IS_YIELDING:
		return REASON_YIELDS;
	}
	return REASON_OTHER;
}

/* The field at a brace of a text */
static bool is_field(const char *brace, const char *field)
{
	while (*field && brace[1] == *field) {
		brace++;
		field++;
	}
	return !*field && brace[1] == '}';
}

bool reason_has(enum reason_kind kind, const char *field)
{
	for (const char *at = reason_forms[kind].text; (at = strchr(at, '{')); at++) {
		if (is_field(at, field))
			return true;
	}
	return false;
}

enum reason_kind reason_kind_of(const struct verdict *v, bool behind, bool learned)
{
	if (v->kind == VERDICT_WAIT)
		return wait_kind(v, learned);
	if (v->kind == VERDICT_NONE)
		return REASON_PASS;
	return behind ? REASON_ORDER : REASON_NODES;
}

void reason_of_verdict(struct reason *r, const struct verdict *v, bool behind, bool learned)
{
	const int64_t numbers[REASON_NUMBERS] = {
		[REASON_NEED] = v->need, [REASON_MAX] = v->max, [REASON_CAP] = v->max,
		[REASON_FREE] = v->reason == WAIT_IS_NEVER ? v->max : v->free,
		[REASON_USED] = v->used, [REASON_VICTIMS] = (int64_t) v->nvictims,
	};

	reason_init(r);
	r->kind = reason_kind_of(v, behind, learned);
	for (const char *at = reason_forms[r->kind].text; (at = strchr(at, '{')); at++) {
		for (int i = 0; i < REASON_NUMBERS; i++)
			if (is_field(at, reason_number_names[i]))
				r->numbers[i] = numbers[i];
	}
}

/* ---- to text ---- */

size_t reason_expand(char *text, size_t size, const char *form,
		     void (*value)(const void *arg, const char *field, char *to, size_t size),
		     const void *arg)
{
	char field[FIELD_SIZE];
	size_t n = 0, named;

	while (*form && n + 1 < size) {
		size_t len;

		if (*form != '{') {
			text[n++] = *form++;
			continue;
		}
		len = strcspn(form, "}");
		named = len <= sizeof(field) ? len - 1 : sizeof(field) - 1;
		memcpy(field, form + 1, named);
		field[named] = '\0';
		text[n] = '\0';
		value(arg, field, text + n, size - n);
		n += strlen(text + n);
		form += len + 1;
	}
	text[n] = '\0';
	return n;
}

/* The member of that name that is text; NULL: there is none */
static char *member(const struct reason *r, const char *field)
{
	return (char *) (!strcmp(field, "resource") ? r->resource
			 : !strcmp(field, "flavor") ? r->flavor
			 : !strcmp(field, "until")  ? r->until
						    : NULL);
}

static int number(const char *field)
{
	int i = 0;

	while (i < REASON_NUMBERS && strcmp(field, reason_number_names[i]) != 0)
		i++;
	return i;
}

/* Each pass may print thousands of these texts: no printf() here. A text is cut at size. */
static size_t put(char *to, size_t size, const char *text)
{
	size_t n = strnlen(text, size - 1);

	memcpy(to, text, n);
	to[n] = '\0';
	return n;
}

static size_t put_number(char *to, size_t size, int64_t number)
{
	uint64_t rest = number < 0 ? -(uint64_t) number : (uint64_t) number;
	char digits[24] = "";
	size_t at = sizeof(digits) - 1;

	do
		digits[--at] = (char) ('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		digits[--at] = '-';
	return put(to, size, digits + at);
}

/* A REASON has no spaces. */
static void value_print(const void *arg, const char *field, char *to, size_t size)
{
	const struct reason *r = arg;
	const char *text = member(r, field);

	if (!text) {
		put_number(to, size, r->numbers[number(field)]);
		return;
	}
	put(to, size, text);
	while ((to = strchr(to, ' ')))
		*to = '_';
}

static size_t place_print(const struct reason *r, char *text, size_t size)
{
	int64_t last = r->known ? r->known : r->total;
	size_t n = 0;

	if (r->place || !r->known) {
		n += put_number(text, size, r->place);
		n += put(text + n, size - n, "/");
	}
	n += put_number(text + n, size - n, last);
	return n + put(text + n, size - n, r->known ? "+" : "");
}

void reason_print(const struct reason *r, char text[REASON_SIZE])
{
	static const char begin[] = PREFIX "pos=", wait[] = ",wait=";
	size_t n = sizeof(begin) - 1, left;

	memcpy(text, begin, n);
	n += place_print(r, text + n, REASON_SIZE - n);
	memcpy(text + n, wait, sizeof(wait));
	n += sizeof(wait) - 1;
	left = REASON_SIZE - n;
	n += reason_expand(text + n, left < WAIT_LENGTH + 1 ? left : WAIT_LENGTH + 1,
			   reason_forms[r->kind].text, value_print, r);
	n += put(text + n, REASON_SIZE - n, QUEUE);
	put(text + n, REASON_SIZE - n, r->queue);
}

/* ---- from text ---- */

static void text_copy(char to[REASON_SIZE], const char *from, size_t len)
{
	snprintf(to, REASON_SIZE, "%.*s", (int) len, from);
}

/* The length of the field in the text, which it takes from there */
static size_t field_parse(const char *field, const char *text, struct reason *r)
{
	bool flavor = !strcmp(field, "flavor");
	char *to = member(r, field);
	size_t len;

	if (to) {
		len = strcspn(text, flavor ? ",)" : ",)@");
		text_copy(to, text, len);
		return len;
	}
	len = strspn(text, "-0123456789");
	if (len)
		r->numbers[number(field)] = strtoll(text, NULL, 10);
	return len;
}

#define WHOLE 1000	/* more than any form has characters */

/* Takes the fields, and returns how far the text agrees with the form. */
static size_t form_parse(const char *form, const char *text, struct reason *r)
{
	const char *begin = form;
	char field[FIELD_SIZE];

	while (*form) {
		size_t len;

		if (*form != '{') {
			if (*form != *text)
				return (size_t) (form - begin);
			form++;
			text++;
			continue;
		}
		len = strcspn(form, "}");
		snprintf(field, sizeof(field), "%.*s", (int) len - 1, form + 1);
		form += len + 1;
		text += field_parse(field, text, r);
	}
	return (size_t) (form - begin) + (*text == ',' || !*text ? WHOLE : 0);
}

/* The kind with this word whose form agrees most */
static enum reason_kind kind_find(const char *wait)
{
	size_t word = strcspn(wait, "(,"), best = 0;
	enum reason_kind found = REASON_OTHER;
	struct reason unused;

	for (int kind = 0; kind < REASON_OTHER; kind++) {
		const struct reason_form *form = &reason_forms[kind];
		size_t n;

		if (strlen(form->word) != word || strncmp(form->word, wait, word) != 0)
			continue;
		n = form_parse(form->text, wait, &unused);
		if (n > best) {
			best = n;
			found = (enum reason_kind) kind;
		}
	}
	return found;
}

/* Up to the next comma that is not in parentheses */
static size_t item_length(const char *text)
{
	size_t i = 0;

	for (int depth = 0; text[i] && (depth || text[i] != ','); i++)
		depth += (text[i] == '(') - (text[i] == ')');
	return i;
}

static void wait_parse(const char *wait, struct reason *r)
{
	const char *queue = strstr(wait, QUEUE);

	r->kind = kind_find(wait);
	form_parse(reason_forms[r->kind].text, wait, r);
	text_copy(r->shown, wait, item_length(wait));
	if (queue)
		snprintf(r->queue, sizeof(r->queue), "%s", queue + strlen(QUEUE));
}

/* "3/41", "4000+", "3/4000+" */
static void place_parse(const char *text, struct reason *r)
{
	char *end;

	r->place = strtoll(text, &end, 10);
	if (*end == '/')
		r->total = strtoll(end + 1, &end, 10);
	if (*end != '+')
		return;
	r->known = r->total ? r->total : r->place;
	if (!r->total)
		r->place = 0;
	r->total = 0;
}

bool reason_parse(const char *text, struct reason *r)
{
	static const char place[] = "pos=", wait[] = "wait=";

	reason_init(r);
	if (!text || strncmp(text, PREFIX, strlen(PREFIX)) != 0)
		return false;
	text += strlen(PREFIX);
	if (!strncmp(text, place, strlen(place))) {
		place_parse(text + strlen(place), r);
		text += strcspn(text, ",");
		text += *text == ',';
	}
	if (!strncmp(text, wait, strlen(wait)))
		wait_parse(text + strlen(wait), r);
	return true;
}
