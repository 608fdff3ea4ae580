/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.c - from the path of a request to what is sent
 */
#include <string.h>

#include "output/output.h"
#include "pages/pages.h"
#include "status/status.h"
#include "charts/assets.h"
#include "web/route.h"

#define OK 200
#define NOT_FOUND 404
#define NO_DOCUMENT 503

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

/* The same as scohort status --json. Making it takes the document apart. */
static struct reply json_reply(struct site *site)
{
	struct reply reply = { .type = route_json };
	struct output out = { .kind = OUTPUT_JSON };
	struct published copy = { NULL, NULL };
	struct json_object *document = NULL;

	out.file = open_memstream(&reply.text, &reply.size);
	if (!out.file)
		return reply;
	if (!site->snapshot.p.document)
		fputs("{}\n", out.file);
	else if (!json_object_deep_copy(site->snapshot.p.document, &copy.document,
					NULL)) {
		document = status_document(&copy, NULL, 0);
		output_document(&out, document);
	}
	reply.status = document ? OK : NO_DOCUMENT;
	if (fclose(out.file))
		reply.status = 0;
	json_object_put(document);
	json_object_put(copy.document);
	return reply;
}

struct reply route(struct site *site, const char *path)
{
	const struct asset *asset = asset_find(path);

	if (asset)
		return (struct reply) { .status = OK, .type = asset->type,
					.text = (char *) asset->begin,
					.size = (size_t) (asset->end
							  - asset->begin),
					.fixed = true };
	return !strcmp(path, "/status.json") ? json_reply(site)
					     : page_reply(site, path);
}
