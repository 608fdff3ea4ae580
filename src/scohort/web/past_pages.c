/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_pages.c - pages of the past: a child makes each
 *
 * It prints the status of HTTP in the first line, then the page.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/exit_status.h"
#include "output/output.h"
#include "past/past.h"
#include "web/web.h"

#define UNAVAILABLE 503
#define AT_ONCE 4		/* more wait */
#define WAIT_SECONDS 2
#define CHILD_SECONDS (2 * PAST_SECONDS)

static const struct past_route {
	const char *path;
	enum past_kind kind;
	bool json;
} routes[] = {
	{ "/history", PAST_USAGE, false },
	{ "/history.json", PAST_USAGE, true },
	{ "/history-evictions", PAST_EVICTIONS, false },
	{ "/history-evictions.json", PAST_EVICTIONS, true },
};

static const struct past_route *route_find(const char *path)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++)
		if (!strcmp(path, routes[i].path))
			return &routes[i];
	return NULL;
}

/* ---- in the child ---- */

int past_print(int argc, char **argv)
{
	static const int statuses[] = {
		[PAST_OK] = 200, [PAST_WRONG] = 400,
		[PAST_MISSING] = 404, [PAST_FAILED] = UNAVAILABLE,
	};
	const struct past_route *r = argc == 8 ? route_find(argv[1]) : NULL;
	const struct output out = { .kind = OUTPUT_JSON, .file = stdout };
	const struct page_source v = { .has_past = true, .is_past = true };
	struct html page = { .file = stdout, .up = "" };
	struct past_query query;
	struct past past;

	if (!r)
		return STATUS_USAGE;
	query = (struct past_query) { argv[3], argv[4], argv[5], argv[6], argv[7] };
	past_open(&past, argv[0], r->kind, &query, strtoll(argv[2], NULL, 10));
	printf("%d\n", statuses[past.status]);
	if (r->json)
		output_document(&out, past.document);
	else
		past_page(&page, &v, &past);
	past_close(&past);
	return STATUS_OK;
}

/* ---- in the server ---- */

bool route_is_past(const char *path)
{
	return route_find(path) != NULL;
}

static const char *given(const char *text)
{
	return text ? text : "";
}

static sem_t turns;

static void turns_make(void)
{
	sem_init(&turns, 0, AT_ONCE);
}

/* False: too many run, and none of them has ended for a while */
static bool turn_wait(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct timespec until;
	int rc;

	pthread_once(&once, turns_make);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_SECONDS;
	while ((rc = sem_timedwait(&turns, &until)) && errno == EINTR)
		;
	return !rc;
}

struct reply route_past(const char *db, const char *path, const struct past_query *q, int64_t now)
{
	char when[32], *text, *page;
	const char *const args[] = {
		CHILD_PAST, db, path, when, given(q->range), given(q->from),
		given(q->to), given(q->queue), given(q->of), NULL,
	};
	struct reply reply = { .type = route_find(path)->json ? route_json : route_html };
	size_t size;
	bool done;

	snprintf(when, sizeof(when), "%lld", (long long) now);
	if (!turn_wait())
		return reply_text(UNAVAILABLE, "Too many ask for the past right now: try again "
				  "soon.\n");
	done = child_run(args, CHILD_SECONDS, &text, &size);
	sem_post(&turns);
	page = done ? strchr(text, '\n') : NULL;
	if (!page) {
		free(done ? text : NULL);
		return reply_text(UNAVAILABLE, "The page could not be made: try again soon.\n");
	}
	page++;
	reply.status = (unsigned) strtoul(text, NULL, 10);
	reply.size = size - (size_t) (page - text);
	reply.text = memmove(text, page, reply.size);
	return reply;
}
