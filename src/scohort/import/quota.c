/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.c - resourceGroups of Kueue as ours: names of resources, amounts
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "must.h"

#define NAME_SIZE IMPORT_NAME_SIZE
#define MIG "nvidia.com/mig-"

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), len = strlen(end);

	return n >= len && !strcmp(text + n - len, end);
}

/* Text i of a list, "" if that is no text */
static const char *item_text(const struct node *list, size_t i)
{
	return list->items[i]->kind == NODE_SCALAR ? list->items[i]->text : "";
}

/* ---- names ---- */

/* The next text of coveredResources in a list of groups, from place *at on; NULL: none */
static const char *covered_next(const struct node *groups, size_t *group, size_t *at)
{
	for (; *group < groups->nitems; (*group)++, *at = 0) {
		const struct node *covered = node_list(groups->items[*group], "coveredResources");

		if (*at < covered->nitems)
			return item_text(covered, (*at)++);
	}
	return NULL;
}

bool import_has_vendors(const struct manifests *m)
{
	const char *vendor = NULL, *text;

	for (size_t i = 0; i < m->n; i++) {
		const struct node *groups = node_list(m->items[i].spec, "resourceGroups");

		for (size_t g = 0, k = 0; (text = covered_next(groups, &g, &k));) {
			if (!ends_in(text, "/gpu"))
				continue;
			if (vendor && strcmp(vendor, text) != 0)
				return true;
			vendor = text;
		}
	}
	return false;
}

bool import_resource_name(const struct import *im, const char *name, char *tres)
{
	const char *slash = strchr(name, '/');
	char err[128];
	int n;

	if (!strcmp(name, "cpu"))
		n = snprintf(tres, NAME_SIZE, "cpu");
	else if (!strcmp(name, "memory"))
		n = snprintf(tres, NAME_SIZE, "mem");
	else if (!slash)
		return false;
	else if (!strncmp(name, MIG, strlen(MIG)))
		n = snprintf(tres, NAME_SIZE, "gres/gpu:%s", name + strlen(MIG));
	else if (ends_in(name, "/gpu") && im->vendors)
		n = snprintf(tres, NAME_SIZE, "gres/gpu:%.*s", (int) strcspn(name, "."), name);
	else
		n = snprintf(tres, NAME_SIZE, "gres/%s", slash + 1);
	return n < NAME_SIZE && resource_check(tres, err, sizeof(err)) == 0;
}

/* Says once that somebody should look at a name that Slurm only knows if gres.conf or
 * GresTypes say so. */
static void name_note(struct import *im, const char *name, const char *tres)
{
	const char *type = strchr(tres, ':');

	if (strncmp(tres, "gres/", 5) || !strcmp(tres, "gres/gpu"))
		return;
	for (size_t i = 0; i < im->nchecked; i++)
		if (!strcmp(im->checked[i], name))
			return;
	if (im->nchecked < IMPORT_CHECKED_MAX)
		im->checked[im->nchecked++] = name;
	if (type)
		import_note(im, 6, "check: %s is %s here: gres.conf must have Type=%s",
			    name, tres, type + 1);
	else
		import_note(im, 6, "check: %s is %s here: GresTypes must have %s", name, tres,
			    tres + 5);
}

/* ---- amounts ---- */

static const char *const amount_keys[] = { "nominalQuota", "borrowingLimit", "lendingLimit" };

#define AMOUNT_KEYS (sizeof(amount_keys) / sizeof(amount_keys[0]))

/* Appends an amount of a flavor's resource to a list like "cpu=4,mem=16G", or NULL, if the
 * resource has that key and Slurm has the resource. Amounts of Slurm are whole numbers. */
static void amount_add(struct import *im, const struct node *resource, const char *key,
		       char **list)
{
	const struct node *value = node_find(resource, key);
	const char *name = node_text(resource, "name"), *is = node_text(resource, key);
	char tres[NAME_SIZE], text[32], *before = *list;
	int64_t amount;
	bool exact;

	if (!value || !name || !import_resource_name(im, name, tres))
		return;
	if (!is || quantity_parse(is, strcmp(tres, "mem") ? 1 : 1048576, &amount, &exact) < 0) {
		import_error(im, value, "%s: %s is not a quantity like 8, 500m or 512Gi", key,
			     is ? quote(is).text : "this");
		return;
	}
	if (!exact)
		import_note(im, 10, "rounded down: %s of %s was %s", key, name, is);
	amount_format(tres, amount, text, sizeof(text));
	*list = must_format("%s%s%s=%s", before ? before : "", before ? "," : "", tres, text);
	free(before);
}

static void flavor_write(struct import *im, const struct node *flavor)
{
	const struct node *resources = node_list(flavor, "resources");
	const char *name = node_text(flavor, "name");
	char *amounts[AMOUNT_KEYS] = { NULL };

	if (!name || resources != node_find(flavor, "resources")) {
		import_error(im, flavor, "a flavor needs a name and a list of resources");
		return;
	}
	for (size_t i = 0; i < resources->nitems; i++)
		for (size_t k = 0; k < AMOUNT_KEYS; k++)
			amount_add(im, resources->items[i], amount_keys[k], &amounts[k]);
	fprintf(im->out, "          - name: %s\n", yaml_word(name));
	for (size_t k = 0; k < AMOUNT_KEYS; k++) {
		if (amounts[k])
			fprintf(im->out, "            %s: \"%s\"\n", amount_keys[k], amounts[k]);
		free(amounts[k]);
	}
}

/* ---- groups ---- */

/* Says what the flavors have of a resource that Slurm has not. */
static void resource_lost(struct import *im, const struct node *resource,
			  const struct node *flavors)
{
	char amounts[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < flavors->nitems; i++) {
		const struct node *list = node_list(flavors->items[i], "resources");
		const char *flavor = node_text(flavors->items[i], "name");

		for (size_t k = 0; k < list->nitems && used < sizeof(amounts); k++) {
			const char *name = node_text(list->items[k], "name");
			const char *amount = node_text(list->items[k], "nominalQuota");

			if (name && !strcmp(name, resource->text) && amount)
				used += (size_t) snprintf(amounts + used, sizeof(amounts) - used,
							  ", nominalQuota %.40s of flavor %.64s",
							  amount, flavor ? flavor : "(none)");
		}
	}
	import_lost(im, resource, 6, NULL, "resource %s%s", quote(resource->text).text, amounts);
}

/* Prints the names that Slurm has; false: none */
static bool covered_write(struct import *im, const struct node *covered,
			  const struct node *flavors)
{
	const char *heading = "      - coveredResources: [", *sep = "";
	char tres[NAME_SIZE];

	for (size_t i = 0; i < covered->nitems; i++) {
		if (import_resource_name(im, item_text(covered, i), tres))
			name_note(im, item_text(covered, i), tres);
		else if (covered->items[i]->kind == NODE_SCALAR)
			resource_lost(im, covered->items[i], flavors);
	}
	for (size_t i = 0; i < covered->nitems; i++) {
		if (!import_resource_name(im, item_text(covered, i), tres))
			continue;
		import_head(im, &heading);
		fprintf(im->out, "%s%s", sep, tres);
		sep = ", ";
	}
	if (!heading)
		fputs("]\n", im->out);
	return !heading;
}

static void group_write(struct import *im, const struct node *group)
{
	const struct node *covered = node_list(group, "coveredResources");
	const struct node *flavors = node_list(group, "flavors");

	if (covered != node_find(group, "coveredResources")
	    || flavors != node_find(group, "flavors")) {
		import_error(im, group, "a resource group needs coveredResources and flavors");
		return;
	}
	if (!covered_write(im, covered, flavors))
		return;
	fputs("        flavors:\n", im->out);
	for (size_t i = 0; i < flavors->nitems; i++)
		flavor_write(im, flavors->items[i]);
}

/* Does any group cover a resource that Slurm has, or the one of this name? */
static bool groups_hold(const struct import *im, const struct node *groups, const char *name)
{
	char tres[NAME_SIZE];
	const char *text;

	for (size_t g = 0, k = 0; (text = covered_next(groups, &g, &k));)
		if ((!name || !strcmp(text, name)) && import_resource_name(im, text, tres))
			return true;
	return false;
}

bool import_is_covered(const struct import *im, const char *name)
{
	const struct manifest *of = manifests_next(&im->m, MANIFEST_QUEUE, NULL);

	while (of && !groups_hold(im, node_list(of->spec, "resourceGroups"), name))
		of = manifests_next(&im->m, MANIFEST_QUEUE, of);
	return of;
}

void import_write_groups(struct import *im)
{
	const struct node *groups = node_list(im->of->spec, "resourceGroups");

	if (groups_hold(im, groups, NULL))
		fputs("    resourceGroups:\n", im->out);
	for (size_t i = 0; i < groups->nitems; i++)
		group_write(im, groups->items[i]);
}

/* ---- weights ---- */

bool import_read_weight(struct import *im, const struct node *n, const char *what, int indent,
			double *weight)
{
	const char *text = n->kind == NODE_SCALAR ? n->text : NULL;
	int64_t thousandths;
	bool exact;

	if (!text || quantity_milli(text, &thousandths, &exact) < 0) {
		import_error(im, n, "%s: %s is not a quantity like 2, 0.5 or 500m", what,
			     text ? quote(text).text : "this");
		return false;
	}
	if (!exact)
		import_note(im, indent, "rounded down: the weight was %s", text);
	*weight = (double) thousandths / 1000;
	return true;
}

void import_write_weight(struct import *im)
{
	const struct node *n = node_find(node_find(im->of->spec, "fairSharing"), "weight");
	double weight;

	if (n && import_read_weight(im, n, "fairSharing.weight", 4, &weight))
		fprintf(im->out, "    fairSharing: {weight: %.15g}\n", weight);
}
