/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.c - resourceGroups of Kueue as ours: names of resources, amounts
 */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "import/quantity.h"
#include "value/tres.h"

#define NAME_SIZE IMPORT_NAME_SIZE
#define MIG "nvidia.com/mig-"

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), len = strlen(end);

	return n >= len && !strcmp(text + n - len, end);
}

/* Is it a resource of GPUs, and of another vendor than *vendor? */
static bool vendor_other(const struct node *covered, const char **vendor)
{
	for (size_t i = 0; covered && i < covered->nitems; i++) {
		const char *text = covered->items[i]->text;

		if (!text || !ends_in(text, "/gpu"))
			continue;
		if (*vendor && strcmp(*vendor, text) != 0)
			return true;
		*vendor = text;
	}
	return false;
}

bool import_has_vendors(const struct manifests *m)
{
	const char *vendor = NULL;

	for (size_t i = 0; i < m->n; i++) {
		const struct node *groups = node_find(m->items[i].spec,
						      "resourceGroups");

		for (size_t g = 0; groups && g < groups->nitems; g++)
			if (vendor_other(node_find(groups->items[g],
						   "coveredResources"),
					 &vendor))
				return true;
	}
	return false;
}

int import_resource_name(const struct import *im, const char *name, char *tres)
{
	const char *slash = strchr(name, '/');
	char err[128];
	int n;

	if (!strcmp(name, "cpu"))
		n = snprintf(tres, NAME_SIZE, "cpu");
	else if (!strcmp(name, "memory"))
		n = snprintf(tres, NAME_SIZE, "mem");
	else if (!slash)
		return -1;
	else if (!strncmp(name, MIG, strlen(MIG)))
		n = snprintf(tres, NAME_SIZE, "gres/gpu:%s",
			     name + strlen(MIG));
	else if (ends_in(name, "/gpu") && im->vendors)
		n = snprintf(tres, NAME_SIZE, "gres/gpu:%.*s",
			     (int) strcspn(name, "."), name);
	else
		n = snprintf(tres, NAME_SIZE, "gres/%s", slash + 1);
	return n >= NAME_SIZE || resource_check(tres, err, sizeof(err)) < 0 ?
		-1 : 0;
}

static int64_t unit_of(const char *tres)
{
	return strcmp(tres, "mem") ? 1 : 1048576;
}

/* Prints `key: "cpu=4,mem=16G"` of a flavor's resources, if any has it. */
static void amounts_write(struct import *im, const struct manifest *of,
			  const struct node *resources, const char *key,
			  int indent)
{
	const char *sep = "";

	for (size_t i = 0; i < resources->nitems; i++) {
		const struct node *item = resources->items[i];
		const struct node *value = node_find(item, key);
		const char *name = node_text(item, "name");
		char tres[NAME_SIZE], text[32];
		int64_t amount;
		bool exact;

		if (!value || !name || import_resource_name(im, name, tres) < 0)
			continue;
		if (value->kind != NODE_SCALAR ||
		    quantity_parse(value->text, unit_of(tres), &amount,
				   &exact) < 0) {
			manifest_error(&im->m, of, value, "%s: %s is not a "
				       "quantity like 8, 500m or 512Gi", key,
				       value->kind == NODE_SCALAR ?
				       quote(value->text).text : "this");
			continue;
		}
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
static void rounding_note(struct import *im, const struct node *resources,
			  int indent)
{
	static const char *const keys[] = { "nominalQuota", "borrowingLimit",
					    "lendingLimit" };
	char tres[NAME_SIZE];
	int64_t amount;
	bool exact;

	for (size_t i = 0; i < resources->nitems; i++) {
		const char *name = node_text(resources->items[i], "name");

		if (!name || import_resource_name(im, name, tres) < 0)
			continue;
		for (size_t j = 0; j < 3; j++) {
			const char *text = node_text(resources->items[i],
						     keys[j]);

			if (text && !quantity_parse(text, unit_of(tres),
						    &amount, &exact) && !exact)
				import_note(im, indent, "rounded down: %s of "
					    "%s was %s", keys[j], name, text);
		}
	}
}

static void flavor_write(struct import *im, const struct manifest *of,
			 const struct node *flavor, int indent)
{
	const struct node *resources = node_find(flavor, "resources");
	const char *name = node_text(flavor, "name");

	if (!name || !resources || resources->kind != NODE_LIST) {
		manifest_error(&im->m, of, flavor, "a flavor needs a name and "
			       "a list of resources");
		return;
	}
	rounding_note(im, resources, indent);
	fprintf(im->out, "%*s- name: %s\n", indent, "", yaml_word(name));
	amounts_write(im, of, resources, "nominalQuota", indent + 2);
	amounts_write(im, of, resources, "borrowingLimit", indent + 2);
	amounts_write(im, of, resources, "lendingLimit", indent + 2);
}

/* Does Slurm only know the resource if gres.conf or GresTypes say so? */
static bool name_is_own(const char *tres)
{
	return !strncmp(tres, "gres/", 5) && strcmp(tres, "gres/gpu") != 0;
}

/* Says once that somebody should look at the name. */
static void name_note(struct import *im, const char *name, const char *tres,
		      int indent)
{
	const char *type = strchr(tres, ':');

	if (!name_is_own(tres))
		return;
	for (size_t i = 0; i < im->nchecked; i++)
		if (!strcmp(im->checked[i], name))
			return;
	if (im->nchecked < IMPORT_CHECKED_MAX)
		im->checked[im->nchecked++] = name;
	if (type)
		import_note(im, indent, "check: %s is %s here: gres.conf "
			    "must have Type=%s", name, tres, type + 1);
	else
		import_note(im, indent, "check: %s is %s here: GresTypes "
			    "must have %s", name, tres, tres + 5);
}

/* "nominalQuota 4 of flavor f, ...": what the flavors have of the resource */
static void lost_amounts(const struct node *flavors, const char *name,
			 char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < flavors->nitems && used < size; i++) {
		const struct node *list = node_find(flavors->items[i],
						    "resources");
		const char *flavor = node_text(flavors->items[i], "name");

		for (size_t k = 0; list && k < list->nitems && used < size;
		     k++) {
			const struct node *item = list->items[k];
			const char *of = node_text(item, "name");
			const char *amount = node_text(item, "nominalQuota");

			if (!of || strcmp(of, name) != 0 || !amount)
				continue;
			used += (size_t) snprintf(buf + used, size - used,
				", nominalQuota %.40s of flavor %.64s", amount,
				flavor ? flavor : "(none)");
		}
	}
}

static void resource_lost(struct import *im, const struct manifest *of,
			  const struct node *resource,
			  const struct node *flavors, int indent)
{
	char amounts[256];

	lost_amounts(flavors, resource->text, amounts, sizeof(amounts));
	import_lost(im, of, resource, indent, NULL, "resource %s%s",
		    quote(resource->text).text, amounts);
}

/* Prints the names that Slurm has; returns how many. */
static size_t covered_write(struct import *im, const struct manifest *of,
			    const struct node *covered,
			    const struct node *flavors, int indent)
{
	char tres[NAME_SIZE];
	size_t n = 0;

	for (size_t i = 0; i < covered->nitems; i++) {
		const struct node *item = covered->items[i];

		if (item->kind != NODE_SCALAR)
			continue;
		if (import_resource_name(im, item->text, tres) < 0) {
			resource_lost(im, of, item, flavors, indent);
			continue;
		}
		name_note(im, item->text, tres, indent);
		n++;
	}
	for (size_t i = 0, at = 0; n && i < covered->nitems; i++) {
		const struct node *item = covered->items[i];

		if (item->kind != NODE_SCALAR ||
		    import_resource_name(im, item->text, tres) < 0)
			continue;
		if (!at)
			fprintf(im->out, "%*s- coveredResources: [", indent, "");
		fprintf(im->out, "%s%s", at++ ? ", " : "", tres);
	}
	if (n)
		fputs("]\n", im->out);
	return n;
}

static void group_write(struct import *im, const struct manifest *of,
			const struct node *group, int indent)
{
	const struct node *covered = node_find(group, "coveredResources");
	const struct node *flavors = node_find(group, "flavors");

	if (!covered || covered->kind != NODE_LIST || !flavors ||
	    flavors->kind != NODE_LIST) {
		manifest_error(&im->m, of, group, "a resource group needs "
			       "coveredResources and flavors");
		return;
	}
	if (!covered_write(im, of, covered, flavors, indent))
		return;
	fprintf(im->out, "%*sflavors:\n", indent + 2, "");
	for (size_t i = 0; i < flavors->nitems; i++)
		flavor_write(im, of, flavors->items[i], indent + 4);
}

/* Does any group cover a resource that Slurm has, or the one of this name? */
static bool groups_hold(const struct import *im, const struct node *groups,
			const char *name)
{
	char tres[NAME_SIZE];

	for (size_t i = 0; i < groups->nitems; i++) {
		const struct node *covered = node_find(groups->items[i],
						       "coveredResources");

		for (size_t j = 0; covered && covered->kind == NODE_LIST &&
		     j < covered->nitems; j++)
			if (covered->items[j]->kind == NODE_SCALAR &&
			    (!name || !strcmp(covered->items[j]->text, name)) &&
			    !import_resource_name(im, covered->items[j]->text,
						  tres))
				return true;
	}
	return false;
}

bool import_is_covered(const struct import *im, const char *name)
{
	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];
		const struct node *groups = node_find(of->spec,
						      "resourceGroups");

		if (of->kind == MANIFEST_QUEUE && groups &&
		    groups->kind == NODE_LIST && groups_hold(im, groups, name))
			return true;
	}
	return false;
}

void import_write_groups(struct import *im, const struct manifest *of,
			 int indent)
{
	const struct node *groups = node_find(of->spec, "resourceGroups");

	if (!groups || groups->kind != NODE_LIST || !groups->nitems)
		return;
	if (groups_hold(im, groups, NULL))
		fprintf(im->out, "%*sresourceGroups:\n", indent, "");
	for (size_t i = 0; i < groups->nitems; i++)
		group_write(im, of, groups->items[i], indent + 2);
}

bool import_read_weight(struct import *im, const struct manifest *of,
			const struct node *n, const char *what, int indent,
			double *weight)
{
	const char *text = n->kind == NODE_SCALAR ? n->text : NULL;
	int64_t thousandths;
	bool exact;

	if (!text || quantity_milli(text, &thousandths, &exact) < 0) {
		manifest_error(&im->m, of, n, "%s: %s is not a quantity like 2, "
			       "0.5 or 500m", what,
			       text ? quote(text).text : "this");
		return false;
	}
	if (!exact)
		import_note(im, indent, "rounded down: the weight was %s",
			    text);
	*weight = (double) thousandths / 1000;
	return true;
}

void import_write_weight(struct import *im, const struct manifest *of,
			 int indent)
{
	const struct node *n = node_find(node_find(of->spec, "fairSharing"),
					 "weight");
	double weight;

	if (n && import_read_weight(im, of, n, "fairSharing.weight", indent,
				    &weight))
		fprintf(im->out, "%*sfairSharing: {weight: %.15g}\n", indent,
			"", weight);
}
