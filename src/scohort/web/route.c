/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.c - from the path of a request to what is sent
 */
#include <string.h>

#include "output/output.h"
#include "pages/pages.h"
#include "status/status.h"
#include "charts/charts.h"
#include "web/web.h"

#define OK 200
#define NOT_FOUND 404
#define NO_DOCUMENT 503

#define QUEUE "/queue/"

const char route_html[] = "text/html; charset=utf-8";
const char route_json[] = "application/json";

/* How often cohort.yaml is asked where the file is */
#define FIND_SECONDS 60

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev
	       && a->st_size == b->st_size
	       && a->st_mtim.tv_sec == b->st_mtim.tv_sec
	       && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void site_refresh(struct site *s, int64_t now)
{
	bool looked = s->version && s->now == now;
	struct stat file;

	s->now = now;
	if (looked || (s->p.document && now >= s->read && now - s->read < FIND_SECONDS
		       && !stat(s->p.path, &file) && is_same_file(&file, &s->p.file)))
		return;
	s->read = now;
	s->version++;
	published_close(&s->p);
	(void) published_open_alone(&s->p, s->error, sizeof(s->error));
}

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

/* Names may have a slash, which an address has as %2F: so a page of a queue is one level
 * below the first page, whatever its name is. Other paths that are unknown may be at any
 * level: their page has no way back but the address. False: there is no such page */
static bool page_put(FILE *file, const struct site *site, const char *path)
{
	const struct page_source v = {
		&site->p, site->error, site->now,
		site->slurmctld.down_since, site->slurmctld.boot_time,
		.has_past = site->has_past,
	};
	struct html h = { file, strncmp(path, QUEUE, strlen(QUEUE)) ? "" : "../" };

	return page_write(&h, &v, path);
}

/* The same as scohort status --json */
static void json_put(FILE *file, const struct site *site)
{
	const struct output out = { .kind = OUTPUT_JSON, .file = file };
	struct json_object *document = site->p.document ? status_document(&site->p, NULL, 0)
							: json_object_new_object();

	output_document(&out, document);
	json_object_put(document);
}

struct reply reply_text(unsigned status, const char *text)
{
	return (struct reply) { .status = status, .type = "text/plain; charset=utf-8",
				.text = (char *) text, .size = strlen(text), .fixed = true };
}

struct reply route(struct site *site, const char *path)
{
	const struct asset *asset = asset_find(path);
	bool is_json = !strcmp(path, "/status.json"), found = true;
	struct reply reply = { .type = is_json ? route_json : route_html };
	FILE *file;

	if (asset)
		return (struct reply) { .status = OK, .type = asset->type,
					.text = (char *) asset->begin,
					.size = (size_t) (asset->end - asset->begin),
					.fixed = true };
	file = open_memstream(&reply.text, &reply.size);
	if (!file)
		return reply;
	if (is_json)
		json_put(file, site);
	else
		found = page_put(file, site, path);
	reply.status = !site->p.document ? NO_DOCUMENT : found ? OK : NOT_FOUND;
	if (fclose(file))
		reply.status = 0;
	return reply;
}
