/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.c - the class of a job, and options with a value for each class:
 *	       "high=100,low=10", "4h,low=10m"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "output/output.h"
#include "replay/replay.h"
#include "value/times.h"

struct class_value {
	const char *class;	/* of the option's text; NULL: all others */
	size_t len;		/* of that name */
	int64_t value;
};

static bool number_read(const char *text, size_t len, int64_t *number)
{
	char *end;

	*number = strtoll(text, &end, 10);
	return len && end == text + len;
}

/* With a unit, so that nobody has to know which one a plain number has */
static bool time_read(const char *text, size_t len, int64_t *ns)
{
	char time[64], why[160];

	snprintf(time, sizeof(time), "%.*s", (int) len, text);
	return len < sizeof(time) && !duration_parse(time, ns, why, sizeof(why))
	       && time[strspn(time, "0123456789")];
}

bool one_time_read(const char *text, int64_t *ns)
{
	return time_read(text, strlen(text), ns);
}

static bool is_of_class(const struct class_value *v, const char *class)
{
	return v->class && class && strlen(class) == v->len && !strncmp(v->class, class, v->len);
}

/* Has an earlier element the same class? */
static bool is_twin(const struct class_value *list, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!list[k].class == !list[i].class && list[k].len == list[i].len
		    && (!list[k].class || !strncmp(list[k].class, list[i].class, list[i].len)))
			return true;
	return false;
}

/* The element text[0..len). False: it is none */
static bool value_add(struct by_class *list, const char *text, size_t len,
		      bool (*read)(const char *text, size_t len, int64_t *value))
{
	const char *equals = memchr(text, '=', len), *value = equals ? equals + 1 : text;
	struct class_value v = {
		.class = equals ? text : NULL, .len = equals ? (size_t) (equals - text) : 0,
	};

	if (equals == text || !read(value, len - (size_t) (value - text), &v.value))
		return false;
	list->list = must_grow(list->list, list->n, sizeof(*list->list));
	list->list[list->n++] = v;
	return true;
}

bool by_class_times(struct by_class *list, const char *option, const char *text)
{
	for (size_t len; text && *text; text += len + !!text[len]) {
		len = strcspn(text, ",");
		if (!value_add(list, text, len, time_read))
			return complain("--%s: \"%.*s\" is not a time with a unit, or CLASS=TIME "
					"(30s, 10m, 1h, low=10m)", option,
					len > 60 ? 60 : (int) len, text);
		if (is_twin(list->list, list->n - 1))
			return complain("--%s: %.*s%s comes twice", option,
					(int) strcspn(text, "=,"), text,
					list->list[list->n - 1].class ? ""
					: ": a time for all others");
	}
	return true;
}

bool by_class_numbers(struct by_class *list, const char *option, const char *text)
{
	for (size_t len; text && *text; text += len + !!text[len]) {
		len = strcspn(text, ",");
		if (!value_add(list, text, len, number_read) || !list->list[list->n - 1].class)
			return complain("--%s: \"%.*s\" is not NAME=NUMBER (high=100)", option,
					(int) len, text);
	}
	return true;
}

void by_class_free(struct by_class *list)
{
	free(list->list);
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
	return !name || number_read(name, strlen(name), priority)
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
			return complain("--%s: no job of %.150s is of class \"%.*s\" (the first "
					"one that is of a class: %.60s)", option, trace->file,
					v->len > 60 ? 60 : (int) v->len, v->class,
					any ? any : "none");
	}
	return true;
}
