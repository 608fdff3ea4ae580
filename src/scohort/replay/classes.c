/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.c - the class of a job, and options with a value for each class:
 *	       "high=100,low=10", "4h,low=10m"
 */
#define _DEFAULT_SOURCE	/* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "output/output.h"
#include "replay/replay.h"
#include "value/times.h"

struct class_value {
	const char *class;	/* NULL: all others */
	int64_t value;
};

static bool number_read(const char *text, int64_t *number)
{
	char *end;

	*number = strtoll(text, &end, 10);
	return *text && !*end;
}

/* With a unit, so that nobody has to know which one a plain number has */
bool one_time_read(const char *text, int64_t *ns)
{
	char why[160];

	return !duration_parse(text, ns, why, sizeof(why)) && text[strspn(text, "0123456789")];
}

static bool is_of_class(const struct class_value *v, const char *class)
{
	return v->class && class && !strcmp(v->class, class);
}

/* Has an earlier element the class of the last one? */
static bool is_twin(const struct by_class *list)
{
	const struct class_value *last = &list->list[list->n - 1];

	for (const struct class_value *v = list->list; v < last; v++)
		if (last->class ? is_of_class(v, last->class) : !v->class)
			return true;
	return false;
}

/* "CLASS=VALUE" or "VALUE", which is cut in two. False: it is neither */
static bool value_add(struct by_class *list, char *text,
		      bool (*read)(const char *text, int64_t *value))
{
	char *equals = strchr(text, '=');
	struct class_value v = { .class = equals ? text : NULL };

	if (equals == text || !read(equals ? equals + 1 : text, &v.value))
		return false;
	if (equals)
		*equals = '\0';
	list->list = must_grow(list->list, list->n, sizeof(*list->list));
	list->list[list->n++] = v;
	return true;
}

bool by_class_read(struct by_class *list, const char *option, const char *text, bool times)
{
	char *rest = list->text = must(strdup(text ? text : "")), *item;

	while (rest && *rest) {
		bool is_value = value_add(list, item = strsep(&rest, ","),
					  times ? one_time_read : number_read);
		const struct class_value *last = list->n ? &list->list[list->n - 1] : NULL;

		if (times && !is_value)
			return complain("--%s: \"%.60s\" is not a time with a unit, or CLASS=TIME "
					"(30s, 10m, 1h, low=10m)", option, item);
		if (!is_value || (!times && !last->class))
			return complain("--%s: \"%s\" is not NAME=NUMBER (high=100)", option, item);
		if (times && is_twin(list))
			return complain("--%s: %s%s comes twice", option, item,
					last->class ? "" : ": a time for all others");
	}
	return true;
}

void by_class_free(struct by_class *list)
{
	free(list->list);
	free(list->text);
}

bool by_class_find(const struct by_class *list, const char *class, int64_t *value)
{
	const struct class_value *found = NULL;

	for (size_t i = 0; i < list->n && !(found && found->class); i++)
		if (!list->list[i].class || is_of_class(&list->list[i], class))
			found = &list->list[i];
	*value = found ? found->value : 0;
	return found;
}

/* ---- of a job ---- */

/* sacct shows the job's own priority, which is its class only if the
 * configuration says so; of the other classes it shows the names. */
const char *replay_class_of(const struct replay_ask *ask, const struct trace_job *job)
{
	if (job->class && (!ask->sacct || ask->conf->priority == CONF_PRIORITY_JOB))
		return job->class;
	return ask->conf->priority == CONF_PRIORITY_PARTITION ? job->partition : job->qos;
}

bool replay_priority_of(const struct replay_ask *ask, const struct trace_job *job,
			int64_t *priority)
{
	const char *name = replay_class_of(ask, job);

	*priority = 0;
	return !name || number_read(name, priority)
	       || by_class_find(&ask->options->classes, name, priority);
}

/* The class of the first job that is of the element's class, or (NULL) of any; NULL: no
 * job is */
static const char *class_of_any(const struct replay_ask *ask, const struct trace *trace,
				const struct class_value *v)
{
	for (size_t i = 0; i < trace->n; i++) {
		const char *class = replay_class_of(ask, &trace->jobs[i]);

		if (class && (!v || is_of_class(v, class)))
			return class;
	}
	return NULL;
}

bool by_class_fits(const struct by_class *list, const struct replay_ask *ask,
		   const struct trace *trace, const char *option)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct class_value *v = &list->list[i];
		const char *any = class_of_any(ask, trace, NULL);

		if (v->class && !class_of_any(ask, trace, v))
			return complain("--%s: no job of %.150s is of class \"%.60s\" (the first "
					"one that is of a class: %.60s)", option, trace->file,
					v->class, any ? any : "none");
	}
	return true;
}
