/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.c - resourceGroups of Kueue as ours: names of resources, amounts
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "must.h"

#define NAME_SIZE (RESOURCE_NAME_MAX + 1)
#define MIG "nvidia.com/mig-"

/* ---- names ---- */

bool import_resource_name(const char *name, char *tres)
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
	import_note(im, 6, "check: %s is %s here: %s must have %s%s", name, tres,
		    type ? "gres.conf" : "GresTypes", type ? "Type=" : "",
		    type ? type + 1 : tres + 5);
}

/* ---- amounts as Kubernetes writes them ----
 *
 * digits[.digits][suffix]: n u m k M G T P E are powers of 1000, Ki to Ei of 1024, e3 or E3 a
 * power of ten. A fraction of 128 bits, so that rounding comes only at the end. */

#define TEN_MAX 18			/* digits, and powers of ten */
#define DIGITS_MAX INT64_C(1000000000000000000)
#define VALUE_MAX (INT64_C(1) << 53)

/* The powers of ten and of two that the suffix stands for; false: it is none */
static bool suffix_read(const char *p, int *ten, int *two)
{
	static const char thousands[] = "num kMGTPE", binary[] = "KMGTPE";
	const char *power = *p && *p != ' ' ? strchr(thousands, *p) : NULL;
	char *end = (char *) (uintptr_t) p;
	long tens = 0;

	*ten = *two = 0;
	if (power && !p[1]) {
		*ten = 3 * (int) (power - thousands) - 9;
		return true;
	}
	if (*p && !strcmp(p + 1, "i") && (power = strchr(binary, *p))) {
		*two = 10 * (int) (power - binary + 1);
		return true;
	}
	if ((*p == 'e' || *p == 'E') && p[1] && !isspace((unsigned char) p[1]))
		tens = strtol(p + 1, &end, 10);
	*ten = (int) tens;
	return !*end && tens >= -TEN_MAX && tens <= TEN_MAX;
}

int quantity_parse(const char *text, int64_t times, int64_t unit, int64_t *amount, bool *exact)
{
	const char *p = text + (*text == '+');
	int digits = 0, point = -1, ten, two;	/* point: how many digits are before it */
	__int128 up = 0, down = 1, whole;	/* a fraction of at most DIGITS_MAX squared */

	for (; isdigit((unsigned char) *p) || (*p == '.' && point < 0); p++) {
		if (*p == '.') {
			point = digits;
			continue;
		}
		up = 10 * up + (*p - '0');
		digits++;
		if (up >= DIGITS_MAX)
			return -1;
	}
	if (!digits || !suffix_read(p, &ten, &two))
		return -1;
	for (int i = point < 0 ? digits : point; i < digits && down <= DIGITS_MAX; i++)
		down *= 10;
	if (down > DIGITS_MAX)
		return -1;
	for (; ten > 0; ten--)
		up *= 10;
	for (; ten < 0; ten++)
		down *= 10;
	up <<= two;
	/* so much is above VALUE_MAX in any case */
	if (up > ((__int128) 1 << 126) / times)
		return -1;
	up *= times;
	whole = up / down;
	*exact = up % down == 0 && whole % unit == 0;
	whole /= unit;
	if (whole > VALUE_MAX)
		return -1;
	*amount = (int64_t) whole;
	return 0;
}

/* ---- amounts of a flavor ---- */

/* Appends an amount of a flavor's resource to a list like "cpu=4,mem=16G", or NULL, if the
 * resource has that key and Slurm has the resource. Amounts of Slurm are whole numbers. */
static void amount_add(struct import *im, const struct node *resource, const char *key, char **list)
{
	const struct node *value = node_find(resource, key);
	const char *name = node_text(resource, "name"), *is = node_text(resource, key);
	char tres[NAME_SIZE], text[32], *before = *list;
	int64_t amount;
	bool exact;

	if (!value || !name || !import_resource_name(name, tres))
		return;
	if (!is || quantity_parse(is, 1, strcmp(tres, "mem") ? 1 : 1048576, &amount, &exact) < 0) {
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
	static const char *const keys[] = { "nominalQuota", "borrowingLimit", "lendingLimit" };
	const struct node *resources = node_list(flavor, "resources");
	const char *name = node_text(flavor, "name");
	char *amounts[3] = { NULL };

	for (size_t i = 0; i < resources->nitems; i++)
		for (size_t k = 0; k < 3; k++)
			amount_add(im, resources->items[i], keys[k], &amounts[k]);
	fprintf(im->out, "          - name: %s\n", yaml_word(name ? name : ""));
	for (size_t k = 0; k < 3; k++) {
		if (amounts[k])
			fprintf(im->out, "            %s: \"%s\"\n", keys[k], amounts[k]);
		free(amounts[k]);
	}
}

/* ---- groups ---- */

/* One group; *heading is that of all, if none is written yet. A group of which Slurm has
 * nothing is left out. */
static void group_write(struct import *im, const struct node *group, const char **heading)
{
	const struct node *covered = node_list(group, "coveredResources");
	const struct node *flavors = node_list(group, "flavors");
	char tres[NAME_SIZE], *names = NULL;

	if (!covered->nitems || !flavors->nitems)
		import_error(im, group, "a resource group needs coveredResources and flavors");
	for (size_t i = 0; i < covered->nitems; i++) {
		const struct node *name = covered->items[i];
		char *before = names;

		if (name->kind != NODE_SCALAR)
			continue;
		if (!import_resource_name(name->text, tres)) {
			import_lost(im, name, 6, "resource %s", quote(name->text).text);
			continue;
		}
		import_head(im, heading);
		name_note(im, name->text, tres);
		names = must_format("%s%s%s", before ? before : "", before ? ", " : "", tres);
		free(before);
	}
	if (!names)
		return;
	fprintf(im->out, "      - coveredResources: [%s]\n        flavors:\n", names);
	free(names);
	for (size_t i = 0; i < flavors->nitems; i++)
		flavor_write(im, flavors->items[i]);
}

void import_write_groups(struct import *im, const struct node *groups, int indent)
{
	const char *heading = "    resourceGroups:\n";

	(void) indent;
	for (size_t i = 0; groups->kind == NODE_LIST && i < groups->nitems; i++)
		group_write(im, groups->items[i], &heading);
}

/* ---- weights ---- */

bool import_read_weight(struct import *im, const struct node *n, const char *what, int indent,
			double *weight)
{
	const char *text = n->kind == NODE_SCALAR ? n->text : NULL;
	int64_t thousandths;
	bool exact;

	if (!text || quantity_parse(text, 1000, 1, &thousandths, &exact) < 0) {
		import_error(im, n, "%s: %s is not a quantity like 2, 0.5 or 500m", what,
			     text ? quote(text).text : "this");
		return false;
	}
	if (!exact)
		import_note(im, indent, "rounded down: the weight was %s", text);
	*weight = (double) thousandths / 1000;
	return true;
}

void import_write_weight(struct import *im, const struct node *fair, int indent)
{
	const struct node *n = node_find(fair, "weight");
	double weight;

	if (n && import_read_weight(im, n, "fairSharing.weight", indent, &weight))
		fprintf(im->out, "    fairSharing: {weight: %.15g}\n", weight);
}
