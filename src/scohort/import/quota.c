/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.c - resourceGroups of Kueue as ours: names of resources, amounts
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

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

bool import_has_vendors(const struct manifests *m)
{
	const char *vendor = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct node *groups = node_list(m->items[i].spec, "resourceGroups");

		for (size_t g = 0; g < groups->nitems; g++) {
			const struct node *covered = node_list(groups->items[g],
							       "coveredResources");

			for (size_t k = 0; k < covered->nitems; k++) {
				const char *text = item_text(covered, k);

				if (!ends_in(text, "/gpu"))
					continue;
				if (vendor && strcmp(vendor, text) != 0)
					return true;
				vendor = text;
			}
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
static void name_note(struct import *im, const char *name, const char *tres, int indent)
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
		import_note(im, indent, "check: %s is %s here: gres.conf must have Type=%s",
			    name, tres, type + 1);
	else
		import_note(im, indent, "check: %s is %s here: GresTypes must have %s", name,
			    tres, tres + 5);
}

/* ---- amounts ---- */

static const char *const amount_keys[] = { "nominalQuota", "borrowingLimit", "lendingLimit" };

#define AMOUNT_KEYS (sizeof(amount_keys) / sizeof(amount_keys[0]))

/* Of a flavor's resource. 1: read; 0: it has none, or Slurm has no such resource; -1: it
 * is wrong */
static int amount_read(const struct import *im, const struct node *resource, const char *key,
		       char *tres, int64_t *amount, bool *exact)
{
	const struct node *value = node_find(resource, key);
	const char *name = node_text(resource, "name");

	if (!value || !name || !import_resource_name(im, name, tres))
		return 0;
	return value->kind == NODE_SCALAR
	       && !quantity_parse(value->text, strcmp(tres, "mem") ? 1 : 1048576, amount, exact)
	       ? 1 : -1;
}

/* Prints `key: "cpu=4,mem=16G"` of a flavor's resources, if any has it. */
static void amounts_write(struct import *im, const struct manifest *of,
			  const struct node *resources, const char *key, int indent)
{
	const char *sep = "";

	for (size_t i = 0; i < resources->nitems; i++) {
		char tres[NAME_SIZE], text[32];
		int64_t amount;
		bool exact;
		int rc = amount_read(im, resources->items[i], key, tres, &amount, &exact);

		if (rc < 0) {
			const char *is = node_text(resources->items[i], key);

			manifest_error(&im->m, of, node_find(resources->items[i], key),
				       "%s: %s is not a quantity like 8, 500m or 512Gi", key,
				       is ? quote(is).text : "this");
		}
		if (rc <= 0)
			continue;
		amount_format(tres, amount, text, sizeof(text));
		if (!*sep)
			fprintf(im->out, "%*s%s: \"", indent, "", key);
		fprintf(im->out, "%s%s=%s", sep, tres, text);
		sep = ",";
	}
	if (*sep)
		fputs("\"\n", im->out);
}

/* Amounts of Slurm are whole numbers. */
static void rounding_note(struct import *im, const struct node *resource, int indent)
{
	char tres[NAME_SIZE];
	int64_t amount;
	bool exact;

	for (size_t k = 0; k < AMOUNT_KEYS; k++)
		if (amount_read(im, resource, amount_keys[k], tres, &amount, &exact) > 0
		    && !exact)
			import_note(im, indent, "rounded down: %s of %s was %s",
				    amount_keys[k], node_text(resource, "name"),
				    node_text(resource, amount_keys[k]));
}

static void flavor_write(struct import *im, const struct manifest *of,
			 const struct node *flavor, int indent)
{
	const struct node *resources = node_list(flavor, "resources");
	const char *name = node_text(flavor, "name");

	if (!name || resources != node_find(flavor, "resources")) {
		manifest_error(&im->m, of, flavor, "a flavor needs a name and a list of "
			       "resources");
		return;
	}
	for (size_t i = 0; i < resources->nitems; i++)
		rounding_note(im, resources->items[i], indent);
	fprintf(im->out, "%*s- name: %s\n", indent, "", yaml_word(name));
	for (size_t k = 0; k < AMOUNT_KEYS; k++)
		amounts_write(im, of, resources, amount_keys[k], indent + 2);
}

/* ---- groups ---- */

/* Says what the flavors have of a resource that Slurm has not. */
static void resource_lost(struct import *im, const struct manifest *of,
			  const struct node *resource, const struct node *flavors, int indent)
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
	import_lost(im, of, resource, indent, NULL, "resource %s%s", quote(resource->text).text,
		    amounts);
}

/* Prints the names that Slurm has; false: none */
static bool covered_write(struct import *im, const struct manifest *of,
			  const struct node *covered, const struct node *flavors, int indent)
{
	char tres[NAME_SIZE];
	bool any = false;

	for (size_t i = 0; i < covered->nitems; i++) {
		if (covered->items[i]->kind != NODE_SCALAR)
			continue;
		if (import_resource_name(im, item_text(covered, i), tres))
			name_note(im, item_text(covered, i), tres, indent);
		else
			resource_lost(im, of, covered->items[i], flavors, indent);
	}
	for (size_t i = 0; i < covered->nitems; i++) {
		if (!import_resource_name(im, item_text(covered, i), tres))
			continue;
		if (any)
			fprintf(im->out, ", %s", tres);
		else
			fprintf(im->out, "%*s- coveredResources: [%s", indent, "", tres);
		any = true;
	}
	if (any)
		fputs("]\n", im->out);
	return any;
}

static void group_write(struct import *im, const struct manifest *of, const struct node *group,
			int indent)
{
	const struct node *covered = node_list(group, "coveredResources");
	const struct node *flavors = node_list(group, "flavors");

	if (covered != node_find(group, "coveredResources")
	    || flavors != node_find(group, "flavors")) {
		manifest_error(&im->m, of, group, "a resource group needs coveredResources "
			       "and flavors");
		return;
	}
	if (!covered_write(im, of, covered, flavors, indent))
		return;
	fprintf(im->out, "%*sflavors:\n", indent + 2, "");
	for (size_t i = 0; i < flavors->nitems; i++)
		flavor_write(im, of, flavors->items[i], indent + 4);
}

/* Does any group cover a resource that Slurm has, or the one of this name? */
static bool groups_hold(const struct import *im, const struct node *groups, const char *name)
{
	char tres[NAME_SIZE];

	for (size_t i = 0; i < groups->nitems; i++) {
		const struct node *covered = node_list(groups->items[i], "coveredResources");

		for (size_t j = 0; j < covered->nitems; j++)
			if ((!name || !strcmp(item_text(covered, j), name))
			    && import_resource_name(im, item_text(covered, j), tres))
				return true;
	}
	return false;
}

bool import_is_covered(const struct import *im, const char *name)
{
	const struct manifest *of = manifests_next(&im->m, MANIFEST_QUEUE, NULL);

	while (of && !groups_hold(im, node_list(of->spec, "resourceGroups"), name))
		of = manifests_next(&im->m, MANIFEST_QUEUE, of);
	return of;
}

void import_write_groups(struct import *im, const struct manifest *of, int indent)
{
	const struct node *groups = node_list(of->spec, "resourceGroups");

	if (groups_hold(im, groups, NULL))
		fprintf(im->out, "%*sresourceGroups:\n", indent, "");
	for (size_t i = 0; i < groups->nitems; i++)
		group_write(im, of, groups->items[i], indent + 2);
}

/* ---- weights ---- */

bool import_read_weight(struct import *im, const struct manifest *of, const struct node *n,
			const char *what, int indent, double *weight)
{
	const char *text = n->kind == NODE_SCALAR ? n->text : NULL;
	int64_t thousandths;
	bool exact;

	if (!text || quantity_milli(text, &thousandths, &exact) < 0) {
		manifest_error(&im->m, of, n, "%s: %s is not a quantity like 2, 0.5 or 500m",
			       what, text ? quote(text).text : "this");
		return false;
	}
	if (!exact)
		import_note(im, indent, "rounded down: the weight was %s", text);
	*weight = (double) thousandths / 1000;
	return true;
}

void import_write_weight(struct import *im, const struct manifest *of, int indent)
{
	const struct node *n = node_find(node_find(of->spec, "fairSharing"), "weight");
	double weight;

	if (n && import_read_weight(im, of, n, "fairSharing.weight", indent, &weight))
		fprintf(im->out, "%*sfairSharing: {weight: %.15g}\n", indent, "", weight);
}
