/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_amount.c - how much of a resource a node has
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/node_amount.h"

/* "4(S:0-1)" up to the comma or the end: a count, without a type before it */
static bool is_count(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n && (!text[n] || strchr("(,", text[n]));
}

int64_t gres_count(const char *list, const char *name, const char *type)
{
	size_t len = strlen(name);
	int64_t sum = 0;

	while (list && *list) {
		const char *at = list, *comma = strchr(list, ',');
		size_t n;

		list = comma ? comma + 1 : NULL;
		if (strncmp(at, name, len) || at[len] != ':')
			continue;
		at += len + 1;
		n = is_count(at) ? 0 : strcspn(at, ":(,");
		if (type && (n != strlen(type) || strncmp(at, type, n)))
			continue;
		at += n + (n && at[n] == ':');
		sum += is_count(at) ? strtoll(at, NULL, 10) : 1;
	}
	return sum;
}

int64_t node_amount(const char *resource, int64_t cpus, int64_t memory,
		    const char *gres)
{
	char name[64], *type;

	if (!strcmp(resource, "cpu"))
		return cpus;
	if (!strcmp(resource, "mem"))
		return memory;
	if (!strcmp(resource, "node"))
		return 1;
	if (strncmp(resource, "gres/", 5))
		return -1;
	snprintf(name, sizeof(name), "%s", resource + 5);
	type = strchr(name, ':');
	if (type)
		*type++ = '\0';
	return gres_count(gres, name, type);
}
