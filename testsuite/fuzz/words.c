/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz words - TRES, amounts, times, quantities; printed values are read back
 * as the same
 */
#include "import/import.h"
#include "input.h"
#include "ledger/job.h"
#include "ledger/reason.h"
#include "output/text.h"
#include "trace/trace.h"
#include "text/printable.h"
#include "text/report.h"
#include "text/printable.h"
#include "value/times.h"
#include "value/tres.h"
#include "whatif/whatif.h"

static void amount_try(const char *resource, const char *text)
{
	char err[160], shown[64];
	int64_t amount, again;

	resource_check(resource, err, sizeof(err));
	if (amount_parse(resource, text, &amount, err, sizeof(err)) < 0)
		return;
	require(amount >= 0 && amount <= AMOUNT_MAX);
	amount_format(resource, amount, shown, sizeof(shown));
	require(!amount_parse(resource, shown, &again, err, sizeof(err)));
	require(again == amount);
	text_amount_of(shown, sizeof(shown), resource, amount);
}

static void tres_try(const char *text)
{
	const char *cursor = text;
	struct tres tres;
	char err[160];
	int more;

	while ((more = tres_next(&cursor, &tres, err, sizeof(err)))) {
		require(cursor > text && cursor <= text + strlen(text) + 1);
		if (more > 0)
			amount_try(tres.name, tres.value);
		else if (!*cursor)
			break;
	}
}

static void time_try(const char *text)
{
	char err[160], shown[64];
	int64_t ns, again;

	if (!duration_parse(text, &ns, err, sizeof(err))) {
		require(ns >= 0);
		duration_format(ns, shown, sizeof(shown));
		require(!duration_parse(shown, &again, err, sizeof(err)));
		require(again == ns);
		text_duration(shown, sizeof(shown), ns / SPEC_SEC);
	}
	if (!trace_span(text, 3600 * SPEC_SEC, &ns))
		require(ns >= 0);
	if (!trace_date(text, &ns))
		text_time(shown, sizeof(shown), ns / SPEC_SEC, 1);
}

static void quantity_try(const char *text)
{
	int64_t amount;
	bool exact;

	if (!quantity_parse(text, 1, 1, &amount, &exact))
		require(amount >= 0);
	if (!quantity_parse(text, 1, 1048576, &amount, &exact))
		require(amount >= 0);
	if (!quantity_parse(text, 1000, 1, &amount, &exact))
		require(amount >= 0);
	text_number(text, &amount);
}

static void request_try(const char *text)
{
	struct trace_names names = { 0 };
	const struct trace_request *r;
	char err[256];

	r = trace_request(&names, text, err, sizeof(err));
	require(r ? r->n != 0 : *err != 0);
	trace_names_free(&names);
}

/* Texts that come from sbatch, from REASON and from comments of jobs */
static void sentence_try(const char *text)
{
	struct provenance past;
	struct reason reason;
	struct sbatch_answer said;

	sbatch_answer_parse(text, &said);
	sbatch_answer_free(&said);
	reason_parse(text, &reason);
	provenance_parse(text, &past);
}

static void shown_try(const char *text)
{
	char *mended = utf8_mend(text), shown[64] = "";

	require(utf8_span(mended, strlen(mended)) == strlen(mended));
	text_sanitize(mended);
	require(utf8_span(mended, strlen(mended)) == strlen(mended));
	free(mended);
	printable_append(shown, sizeof(shown), text, 40);
	require(strlen(shown) <= 40);
	require(!strpbrk(quote(text).text, "\n\r\033"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char **texts = input_texts(data, size, 2);

	amount_try(texts[1], texts[0]);
	tres_try(texts[0]);
	time_try(texts[0]);
	quantity_try(texts[0]);
	request_try(texts[0]);
	sentence_try(texts[0]);
	shown_try(texts[0]);
	input_texts_free(texts, 2);
	return 0;
}
