/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_pages.c - pages of the past: a child makes each
 *
 * It prints the status of HTTP and the type in the first line, then the page.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "web/child.h"
#include "web/route.h"

#ifdef HAVE_SQLITE
#include "past/past.h"

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

static int page_print(const struct past *p)
{
	const struct page_source v = { .has_past = true, .is_past = true };
	struct html h;
	size_t size;
	char *text;

	if (!html_open(&h, ""))
		return STATUS_FAILED;
	past_page(&h, &v, p);
	text = html_close(&h, &size);
	if (text)
		fwrite(text, 1, size, stdout);
	free(text);
	return text ? STATUS_OK : STATUS_FAILED;
}

int past_print(int argc, char **argv)
{
	static const int statuses[] = {
		[PAST_OK] = 200, [PAST_WRONG] = 400,
		[PAST_MISSING] = 404, [PAST_FAILED] = 503,
	};
	const struct past_route *r = argc == 8 ? route_find(argv[1]) : NULL;
	const struct output out = { .kind = OUTPUT_JSON, .file = stdout };
	struct past_query query;
	struct past past;
	int status = STATUS_OK;

	if (!r)
		return STATUS_USAGE;
	query = (struct past_query) { argv[3], argv[4], argv[5], argv[6], argv[7] };
	past_open(&past, argv[0], r->kind, &query, strtoll(argv[2], NULL, 10));
	printf("%d %s\n", statuses[past.status], r->json ? "json" : "html");
	if (r->json)
		output_document(&out, past.document);
	else
		status = page_print(&past);
	past_close(&past);
	return status;
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

/* Takes in the text. status 0: it is no answer */
static struct reply reply_of(char *text, size_t size)
{
	struct reply reply = { .text = text };
	char *end = strchr(text, '\n'), type[8] = "";

	if (!end || sscanf(text, "%u %7s", &reply.status, type) != 2)
		return (struct reply) { .text = text };
	reply.type = strcmp(type, "json") ? route_html : route_json;
	reply.size = size - (size_t) (end + 1 - text);
	memmove(text, end + 1, reply.size);
	return reply;
}

static struct {
	pthread_mutex_t lock;
	pthread_cond_t freed;
	int n;
} running = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };

/* False: too many run, and none of them has ended for a while */
static bool turn_wait(void)
{
	struct timespec until;
	int late = 0;
	bool may;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_SECONDS;
	pthread_mutex_lock(&running.lock);
	while (running.n == AT_ONCE && !late)
		late = pthread_cond_timedwait(&running.freed, &running.lock, &until);
	may = running.n < AT_ONCE;
	running.n += may;
	pthread_mutex_unlock(&running.lock);
	return may;
}

static void turn_end(void)
{
	pthread_mutex_lock(&running.lock);
	running.n--;
	pthread_cond_signal(&running.freed);
	pthread_mutex_unlock(&running.lock);
}

bool route_past(const char *db, const char *path, const struct route_query *q,
		int64_t now, struct reply *reply)
{
	char when[32], *text;
	const char *const args[] = {
		CHILD_PAST, db, path, when, given(q->range), given(q->from),
		given(q->to), given(q->queue), given(q->of), NULL,
	};
	size_t size;
	bool done;

	snprintf(when, sizeof(when), "%lld", (long long) now);
	*reply = (struct reply) { .status = 0 };
	if (!turn_wait())
		return false;
	done = child_run(args, CHILD_SECONDS, &text, &size);
	turn_end();
	if (done)
		*reply = reply_of(text, size);
	return true;
}
#else
bool route_is_past(const char *path)
{
	(void) path;
	return false;
}

bool route_past(const char *db, const char *path, const struct route_query *q,
		int64_t now, struct reply *reply)
{
	(void) db;
	(void) path;
	(void) q;
	(void) now;
	(void) reply;
	return false;
}

int past_print(int argc, char **argv)
{
	(void) argc;
	(void) argv;
	return STATUS_FAILED;
}
#endif
