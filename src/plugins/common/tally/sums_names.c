/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_names.c - the names in a configuration, as they stand in JSON
\*****************************************************************************/
#include <json-c/json.h>

#include "tally/sums_names.h"

#include "compat/slurm_compat.h"

#include "spec.h"

static char *_escaped(const char *name)
{
	struct json_object *o = json_object_new_string(name);
	const char *text = json_object_to_json_string_ext(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *inner = xstrndup(text + 1, strlen(text) - 2);

	json_object_put(o);
	return inner;
}

static char **_list(size_t n)
{
	return xcalloc(n + 1, sizeof(char *));
}

extern struct sums_names *sums_names_of(const struct spec *spec)
{
	struct sums_names *names = xmalloc(sizeof(*names));

	*names = (struct sums_names) {
		.cohorts = _list(spec->ncohorts), .ncohorts = spec->ncohorts,
		.queues = _list(spec->nqueues), .nqueues = spec->nqueues,
		.flavors = _list(spec->nflavors), .nflavors = spec->nflavors,
		.resources = _list(spec->nresources),
		.nresources = spec->nresources,
	};
	for (size_t i = 0; i < spec->ncohorts; i++)
		names->cohorts[i] = _escaped(spec->cohorts[i].name);
	for (size_t i = 0; i < spec->nqueues; i++)
		names->queues[i] = _escaped(spec->queues[i].name);
	for (size_t i = 0; i < spec->nflavors; i++)
		names->flavors[i] = _escaped(spec->flavors[i]);
	for (size_t i = 0; i < spec->nresources; i++)
		names->resources[i] = _escaped(spec->resources[i]);
	return names;
}

static void _free_list(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xfree(list[i]);
	xfree(list);
}

extern void sums_names_free(struct sums_names *names)
{
	if (!names)
		return;
	_free_list(names->cohorts, names->ncohorts);
	_free_list(names->queues, names->nqueues);
	_free_list(names->flavors, names->nflavors);
	_free_list(names->resources, names->nresources);
	xfree(names);
}
