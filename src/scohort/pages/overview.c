/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview.c - what a team wants to know first: what is free, who lends to whom, which
 * quotas will change
 */
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "output/text.h"
#include "pages/pages.h"
#include "story/story.h"

#define FLAVORS_MAX 12
#define GROUPS_MAX 12
#define NAMES_MAX 6
#define CHANGES_MAX 12

const char *main_resource(struct json_object *document)
{
	const char *found = NULL;

	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(document, "clusterQueues", i);

		for (size_t k = 0; k < json_items(queue, "quota"); k++) {
			struct json_object *quota = json_item(queue, "quota", k);
			const char *resource = json_text(quota, "resource");

			if (!strncmp(resource, "gres/", 5) && json_number(quota, "nominal")
			    && (!found || strcmp(resource, found) < 0))
				found = resource;
		}
	}
	return found;
}

/* ---- what is free ---- */

/* Adds what those of one list own and use to {FLAVOR: {nominal, used, resource}} */
static void flavors_add(struct json_object *flavors, struct json_object *document,
			const char *list, const char *resource)
{
	bool cohorts = !strcmp(list, "cohorts");	/* their queues use it */

	for (size_t i = 0; i < json_items(document, list); i++) {
		struct json_object *node = json_item(document, list, i);

		for (size_t k = 0; k < json_items(node, "quota"); k++) {
			struct json_object *quota = json_item(node, "quota", k), *sum;
			const char *flavor = json_text(quota, "flavor");

			if (strcmp(json_text(quota, "resource"), resource) != 0)
				continue;
			sum = json_member(flavors, flavor);
			if (!sum) {
				sum = json_object_new_object();
				json_add_text(sum, "resource", resource);
				json_object_object_add(flavors, flavor, sum);
			}
			json_add_number(sum, "nominal", sat_add(
				json_number(sum, "nominal"), json_number(quota, "nominal")));
			json_add_number(sum, "used", sat_add(json_number(sum, "used"), cohorts
				? 0 : json_number(quota, "used")));
		}
	}
}

static void card_write(struct html *h, const char *flavor, struct json_object *sum)
{
	const char *resource = json_text(sum, "resource");
	int64_t owned = json_number(sum, "nominal");
	int64_t unused = max64(0, sat_sub(owned, json_number(sum, "used")));

	html_printf(h, "<li><span class=\"free\">%s</span> of %s <b>%s</b>",
		    text_amount(TEXT_BUF, resource, unused),
		    text_amount(TEXT_BUF, resource, owned), flavor);
	bar_write(h, sum, NULL);
	html_put(h, "</li>\n");
}

static void free_write(struct html *h, struct json_object *document, const char *resource)
{
	struct json_object *flavors = json_object_new_object();
	int left = FLAVORS_MAX;

	flavors_add(flavors, document, "clusterQueues", resource);
	flavors_add(flavors, document, "cohorts", resource);
	html_printf(h, "<section><h2>Free quota: %s</h2>\n<ul class=\"cards\">\n", resource);
	json_object_object_foreach(flavors, flavor, sum) {
		if (json_number(sum, "nominal") > 0 && left-- > 0)
			card_write(h, flavor, sum);
	}
	html_put(h, "</ul>\n");
	if (left < 0)
		html_printf(h, "<p class=\"note\">%d more flavors: see All "
			    "resources.</p>\n", -left);
	html_put(h, "</section>\n");
	json_object_put(flavors);
}

/* ---- who lends to whom ---- */

static void share_add(struct json_object *group, const char *key,
		      struct json_object *queue, int64_t amount)
{
	struct json_object *share;

	if (amount <= 0)
		return;
	share = json_object_new_object();
	json_object_object_add(share, "name", json_object_get(json_member(queue, "name")));
	json_add_number(share, "amount", amount);
	json_object_array_add(json_member(group, key), share);
}

/* Queues of a tree that lend and borrow one flavor; a key per tree and flavor */
static struct json_object *group_of(struct json_object *groups, const char *root,
				    const char *flavor)
{
	struct json_object *group;
	char key[1024];

	snprintf(key, sizeof(key), "%s\n%s", flavor, root);
	group = json_member(groups, key);
	if (!group) {
		group = json_object_new_object();
		json_add_text(group, "flavor", flavor);
		json_add_list(group, "lent");
		json_add_list(group, "borrowed");
		json_object_object_add(groups, key, group);
	}
	return group;
}

static struct json_object *groups_make(const struct published *p, const char *resource)
{
	struct json_object *groups = json_object_new_object();

	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document, "clusterQueues", i);
		const char *root = published_root(p, queue);

		for (size_t k = 0; *root && k < json_items(queue, "quota"); k++) {
			struct json_object *quota = json_item(queue, "quota", k), *group;

			if (strcmp(json_text(quota, "resource"), resource) != 0)
				continue;
			group = group_of(groups, root, json_text(quota, "flavor"));
			share_add(group, "lent", queue, json_number(quota, "lent"));
			share_add(group, "borrowed", queue, json_number(quota, "borrowed"));
		}
	}
	return groups;
}

static void names_write(struct html *h, struct json_object *group, const char *key,
			const char *resource, const char *verb)
{
	size_t n = json_items(group, key);

	for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
		struct json_object *share = json_item(group, key, i);

		html_put(h, i ? ", " : "");
		queue_link(h, json_text(share, "name"));
		html_printf(h, " %s %s", verb, text_amount(TEXT_BUF, resource,
							   json_number(share, "amount")));
	}
	if (n > NAMES_MAX)
		html_printf(h, " and %zu more queues", n - NAMES_MAX);
	if (!n)
		html_put(h, "the cohort lends");
}

static void lending_write(struct html *h, const struct published *p, const char *resource)
{
	struct json_object *groups = groups_make(p, resource);
	int left = GROUPS_MAX;

	html_printf(h, "<section><h2>Lent now: %s</h2>\n<ul>\n", resource);
	json_object_object_foreach(groups, key, group) {
		(void) key;
		if (!json_items(group, "borrowed") || left-- <= 0)
			continue;
		html_printf(h, "<li><b>%s</b> ", json_text(group, "flavor"));
		names_write(h, group, "lent", resource, "lends");
		html_put(h, " <span aria-hidden=\"true\">\xe2\x86\x92</span> ");
		names_write(h, group, "borrowed", resource, "borrows");
		html_put(h, "</li>\n");
	}
	html_put(h, left == GROUPS_MAX ? "<li>Nothing.</li>\n</ul></section>\n"
				       : "</ul></section>\n");
	json_object_put(groups);
}

/* ---- which quotas change ---- */

/* A sentence for each quota for a time of a list; *n: how many there are so far */
static void changes_write(struct html *h, const struct page_source *v, const char *list, size_t *n)
{
	for (size_t i = 0; i < json_items(v->p->document, list); i++) {
		struct json_object *node = json_item(v->p->document, list, i);

		for (size_t k = 0; k < json_items(node, "quota"); k++) {
			struct json_object *quota = json_item(node, "quota", k);
			char text[512];

			if (!json_member(quota, "temporary"))
				continue;
			if (!*n)
				html_put(h, "<section><h2>Quotas for a time</h2>\n<ul>\n");
			if ((*n)++ < CHANGES_MAX)
				html_printf(h, "<li>%s</li>\n",
					    temporary_text(text, sizeof(text),
							   json_text(node, "name"), quota, v->now));
		}
	}
}

static void all_changes_write(struct html *h, const struct page_source *v)
{
	size_t n = 0;

	changes_write(h, v, "cohorts", &n);
	changes_write(h, v, "clusterQueues", &n);
	if (n > CHANGES_MAX)
		html_printf(h, "<li>And %zu more.</li>\n", n - CHANGES_MAX);
	html_put(h, n ? "</ul></section>\n" : "");
}

void overview_write(struct html *h, const struct page_source *v)
{
	const char *resource = main_resource(v->p->document);

	if (!resource)
		resource = "cpu";
	html_put(h, "<div class=\"columns\">\n");
	free_write(h, v->p->document, resource);
	lending_write(h, v->p, resource);
	all_changes_write(h, v);
	html_put(h, "</div>\n");
}
