/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify_env.c - an event as the environment of a program
 *
 *  Nothing of slurmctld's own environment is in it. Users choose names of jobs,
 *  accounts and addresses: a program that prints them prints no control
 *  characters, and no second line.
\*****************************************************************************/
#include "events/notify_env.h"

#include "state/json_text.h"
#include "state/state.h"

#include "text/printable.h"

#define VARIABLES_MAX 32
#define VALUE_MAX 1024

struct notify_env {
	char *list[VARIABLES_MAX + 1];
	int n;
};

/* A member of the event, or of "by" in it */
static const struct variable {
	const char *name, *key;
	bool by;
} variables[] = {
	{ "COHORT_TIME", "time", false },
	{ "COHORT_JOB", "job", false },
	{ "COHORT_ARRAY_JOB", "arrayJob", false },
	{ "COHORT_ARRAY_TASK", "arrayTask", false },
	{ "COHORT_HET_JOB", "hetJob", false },
	{ "COHORT_JOB_NAME", "name", false },
	{ "COHORT_USER", "user", false },
	{ "COHORT_UID", "uid", false },
	{ "COHORT_MAIL_USER", "mailUser", false },
	{ "COHORT_ACCOUNT", "account", false },
	{ "COHORT_PARTITION", "partition", false },
	{ "COHORT_QUEUE", "queue", false },
	{ "COHORT_STARTED", "started", false },
	{ "COHORT_RAN", "ran", false },
	{ "COHORT_LOST", "lost", false },
	{ "COHORT_RULE", "rule", false },
	{ "COHORT_TEXT", "text", false },
	{ "COHORT_NEXT", "next", false },
	{ "COHORT_PREEMPTION", "preemption", false },
	{ "COHORT_COUNTED", "counted", false },
	{ "COHORT_MAX_PREEMPTIONS", "maxPreemptions", false },
	{ "COHORT_BY_JOB", "job", true },
	{ "COHORT_BY_USER", "user", true },
	{ "COHORT_BY_ACCOUNT", "account", true },
	{ "COHORT_BY_QUEUE", "queue", true },
};

static void _add(struct notify_env *env, const char *name, const char *value)
{
	char shown[VALUE_MAX] = "";

	xassert(env->n < VARIABLES_MAX);
	(void) printable_append(shown, sizeof(shown), value, VALUE_MAX - 1);
	xstrfmtcat(env->list[env->n++], "%s=%s", name, shown);
}

extern struct notify_env *notify_env_create(struct json_object *event,
					    const char *mail_prog,
					    const char *slurm_conf)
{
	struct notify_env *env = xmalloc(sizeof(*env));
	struct json_object *by = NULL, *from;

	(void) json_object_object_get_ex(event, "by", &by);
	_add(env, "PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
	_add(env, "LC_ALL", "C.UTF-8");
	_add(env, "SLURM_CONF", slurm_conf);
	_add(env, "COHORT_MAIL_PROG", mail_prog);
	_add(env, "COHORT_EVENT", "eviction");
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		from = variables[i].by ? by : event;
		if (from && json_object_object_get(from, variables[i].key))
			_add(env, variables[i].name,
			     json_text_of(from, variables[i].key));
	}
	return env;
}

extern void notify_env_free(struct notify_env *env)
{
	for (int i = 0; i < env->n; i++)
		xfree(env->list[i]);
	xfree(env);
}

extern char **notify_env_list(struct notify_env *env)
{
	return env->list;
}
