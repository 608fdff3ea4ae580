/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.c - from the path of a request to what is sent
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "output/output.h"
#include "pages/pages.h"
#ifdef HAVE_SQLITE
#include "past/past.h"
#endif
#include "status/status.h"
#include "charts/assets.h"
#include "web/route.h"

#define OK 200
#define NOT_FOUND 404
#define NO_DOCUMENT 503
#define WRONG 400

#define QUEUE "/queue/"

const char route_html[] = "text/html; charset=utf-8";
const char route_json[] = "application/json";

/* False: there is no such page. */
static bool page_write(struct html *h, const struct page_source *v, const char *path)
{
	bool found = true;

	if (!strcmp(path, "/"))
		tree_page(h, v, false);
	else if (!strcmp(path, "/all"))
		tree_page(h, v, true);
	else if (!strcmp(path, "/evictions"))
		evictions_page(h, v);
	else if (!strncmp(path, QUEUE, strlen(QUEUE)))
		found = queue_page(h, v, path + strlen(QUEUE));
	else
		found = false;
	if (!found)
		missing_page(h, v);
	return found;
}

/* Names may have a slash, which an address has as %2F: so a page of a queue is
 * one level below the first page, whatever its name is. Other paths that are
 * unknown may be at any level: their page has no way back but the address. */
static const char *way_up(const char *path)
{
	return strncmp(path, QUEUE, strlen(QUEUE)) ? "" : "../";
}

static struct reply page_reply(struct site *site, const char *path)
{
	const struct page_source v = {
		&site->snapshot.p, site->snapshot.error, site->now,
		site->slurmctld.down_since, site->slurmctld.boot_time,
		.has_past = site->has_past,
	};
	struct reply reply = { .type = route_html };
	struct html h;

	if (!html_open(&h, way_up(path)))
		return reply;
	reply.status = page_write(&h, &v, path) ? OK : NOT_FOUND;
	if (!v.p->document)
		reply.status = NO_DOCUMENT;
	reply.text = html_close(&h, &reply.size);
	if (!reply.text)
		reply.status = 0;
	return reply;
}

/* Takes in what is written; the status is for the caller to set. False: no memory */
static bool json_write(struct reply *reply, struct json_object *document)
{
	struct output out = { .kind = OUTPUT_JSON };

	reply->type = route_json;
	out.file = open_memstream(&reply->text, &reply->size);
	if (!out.file)
		return false;
	output_document(&out, document);
	if (!fclose(out.file))
		return true;
	free(reply->text);
	reply->text = NULL;
	return false;
}

/* The same as scohort status --json. Making it takes the document apart. */
static struct reply json_reply(struct site *site)
{
	struct reply reply = { .type = route_json };
	struct published copy = { NULL, NULL };
	struct json_object *document;

	if (!site->snapshot.p.document) {
		reply.text = strdup("{}\n");
		reply.size = 3;
		reply.status = reply.text ? NO_DOCUMENT : 0;
		return reply;
	}
	if (!json_object_deep_copy(site->snapshot.p.document, &copy.document,
				   NULL)) {
		document = status_document(&copy, NULL, 0);
		if (json_write(&reply, document))
			reply.status = OK;
		json_object_put(document);
		json_object_put(copy.document);
	}
	return reply;
}

/* ---- the past ---- */

#ifdef HAVE_SQLITE
static const struct past_route {
	const char *path;
	enum past_kind kind;
	bool json;
} past_routes[] = {
	{ "/history", PAST_USAGE, false },
	{ "/history.json", PAST_USAGE, true },
	{ "/history-evictions", PAST_EVICTIONS, false },
	{ "/history-evictions.json", PAST_EVICTIONS, true },
};

static const struct past_route *past_find(const char *path)
{
	for (size_t i = 0; i < sizeof(past_routes) / sizeof(*past_routes); i++)
		if (!strcmp(path, past_routes[i].path))
			return &past_routes[i];
	return NULL;
}

static bool past_write(struct reply *reply, const struct past_route *r,
		       const struct past *p)
{
	const struct page_source v = { .has_past = true, .is_past = true };
	struct html h;

	if (r->json)
		return json_write(reply, p->document);
	reply->type = route_html;
	if (!html_open(&h, ""))
		return false;
	past_page(&h, &v, p);
	reply->text = html_close(&h, &reply->size);
	return reply->text != NULL;
}

struct reply route_past(const char *db, const char *path,
			const struct route_query *query, int64_t now)
{
	const struct past_route *r = past_find(path);
	const struct past_query asked = { query->range, query->from, query->to,
					  query->queue, query->of };
	static const unsigned statuses[] = {
		[PAST_OK] = OK, [PAST_WRONG] = WRONG,
		[PAST_MISSING] = NOT_FOUND, [PAST_FAILED] = NO_DOCUMENT,
	};
	struct reply reply = { .status = 0 };
	struct past past;

	if (!r)
		return reply;
	past_open(&past, db, r->kind, &asked, now);
	if (past_write(&reply, r, &past))
		reply.status = statuses[past.status];
	past_close(&past);
	return reply;
}

bool route_is_past(const char *path)
{
	return past_find(path) != NULL;
}
#else
struct reply route_past(const char *db, const char *path,
			const struct route_query *query, int64_t now)
{
	(void) db;
	(void) path;
	(void) query;
	(void) now;
	return (struct reply) { .status = 0 };
}

bool route_is_past(const char *path)
{
	(void) path;
	return false;
}
#endif

struct reply route(struct site *site, const char *path)
{
	const struct asset *asset = asset_find(path);

	if (asset)
		return (struct reply) { .status = OK, .type = asset->type,
					.text = (char *) asset->begin,
					.size = (size_t) (asset->end
							  - asset->begin),
					.fixed = true };
	snapshot_refresh(&site->snapshot, site->now);
	return !strcmp(path, "/status.json") ? json_reply(site)
					     : page_reply(site, path);
}
