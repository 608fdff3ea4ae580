/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.c - slurm.conf, as slurmctld uses it
 *
 * doc/limits.md and doc/how-it-decides.md say why each of these settings matters.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "doctor/doctor.h"

#define VALUE_MAX 4096

/* Is the word one of a list separated by commas? *value: what follows its '=', or NULL */
static bool word_find(const char *list, const char *word, const char **value)
{
	size_t len = strlen(word);

	for (size_t n; *list; list += n + !!list[n]) {
		n = strcspn(list, ",");
		if (strncasecmp(list, word, len) || (n != len && list[len] != '='))
			continue;
		*value = n == len ? NULL : list + len + 1;
		return true;
	}
	return false;
}

/* ---- plugins ---- */

void look_plugins(struct doctor *d)
{
	/* later versions have no name for none */
	const char *type = *d->controller.preempt_type ? d->controller.preempt_type
						       : "preempt/none";
	char here[VALUE_MAX];

	if (!d->loaded && conf_value("PreemptType", here, sizeof(here), NULL)
	    && !strcmp(here, COHORT_PLUGIN))
		found(d, SEVERITY_WARNING, "PreemptType", "slurmctld runs without slurm-cohort "
		      "(%s), and slurm.conf here has it: restart slurmctld", type);
	else if (!d->loaded)
		found(d, SEVERITY_NOTE, "PreemptType", "slurmctld runs without slurm-cohort (%s): "
		      "to switch it on, set PluginDir, PreemptType=" COHORT_PLUGIN " and "
		      "PreemptMode=REQUEUE in slurm.conf, and restart slurmctld", type);
}

/* PreemptMode is not compared: lines of partitions have it, too. */
void look_slurm_conf(struct doctor *d)
{
	static const char *const keys[][2] = {
		{ "PluginDir", "restart slurmctld" },
		{ "SchedulerParameters", "run scontrol reconfigure" },
	};
	char here[VALUE_MAX], value[VALUE_MAX], unread[CONF_PATH_MAX];

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		controller_setting(&d->controller, keys[i][0], value, sizeof(value));
		if (conf_value(keys[i][0], here, sizeof(here), unread) && !*unread
		    && strcmp(here, value) != 0)
			found(d, SEVERITY_WARNING, keys[i][0], "slurm.conf here has \"%s\", and "
			      "slurmctld uses \"%s\": %s", here, value, keys[i][1]);
	}
}

void look_preempt_mode(struct doctor *d)
{
	char mode[VALUE_MAX], requeue[VALUE_MAX];
	const char *none;
	bool known = controller_setting(&d->controller, "PreemptMode", mode, sizeof(mode));
	bool requeues = word_find(mode, "REQUEUE", &none);

	if (d->loaded && known && (word_find(mode, "GANG", &none)
				   || (!requeues && !word_find(mode, "CANCEL", &none))))
		found(d, SEVERITY_ERROR, "PreemptMode", "%s can't work with quota, and slurmctld "
		      "does not start again: set PreemptMode=REQUEUE or CANCEL", mode);
	controller_setting(&d->controller, "JobRequeue", requeue, sizeof(requeue));
	if (!strcmp(requeue, "0") && (requeues || !d->loaded))
		found(d, SEVERITY_WARNING, "JobRequeue", "is 0: victims are cancelled, and not "
		      "requeued, unless they were submitted with --requeue. Set JobRequeue=1");
}

/* ---- single settings ---- */

static const struct {
	const char *key, *values;
	bool wanted;		/* the value should be one of these; else: none of these */
	enum severity severity;
	const char *message;
} settings[] = {
	{ "SelectType", "select/cons_tres,cons_tres", true, SEVERITY_ERROR,
	  "with slurm-cohort slurmctld does not start. Set SelectType=select/cons_tres" },
	{ "PreemptExemptTime", "00:00:00,NONE", true, SEVERITY_NOTE,
	  "running jobs are protected for that long, whatever min-runtimes of cohort.yaml say, "
	  "and owners wait" },
	{ "SchedulerType", "sched/builtin", false, SEVERITY_WARNING,
	  "heterogeneous jobs never start, and plannedJobs has no effect. Set "
	  "SchedulerType=sched/backfill" },
};

void look_settings(struct doctor *d)
{
	char value[VALUE_MAX];
	const char *none;

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (controller_setting(&d->controller, settings[i].key, value, sizeof(value))
		    && word_find(settings[i].values, value, &none) != settings[i].wanted)
			found(d, settings[i].severity, settings[i].key, "is %s: %s", value,
			      settings[i].message);
}

static const struct {
	const char *name;
	int64_t from, to;	/* values of which this is to be said */
	enum severity severity;
	const char *message;
} parameters[] = {
	{ "sched_interval", -1, -1, SEVERITY_WARNING,
	  "Slurm's main scheduler is off, and owners wait for backfill. Remove it" },
	{ "bf_interval", -1, -1, SEVERITY_WARNING,
	  "backfill is off: heterogeneous jobs never start, and plannedJobs has no effect. "
	  "Remove it" },
	{ "max_rpc_cnt", 1, 9, SEVERITY_WARNING,
	  "scheduling stops whenever a few clients ask, for owners, too. Slurm recommends 10 or "
	  "more" },
	{ "max_rpc_cnt", 10, INT64_MAX, SEVERITY_NOTE,
	  "scheduling stops while so many clients ask, for owners, too" },
	{ "defer", 0, INT64_MAX, SEVERITY_NOTE,
	  "no job is tried when it is submitted: an owner starts or reclaims with the next pass" },
	{ "defer_batch", 0, INT64_MAX, SEVERITY_NOTE,
	  "no batch job is tried when it is submitted: an owner starts or reclaims with the next "
	  "pass" },
	{ "bf_licenses", 0, INT64_MAX, SEVERITY_NOTE,
	  "a job that waits for quota may block its partition for one pass (doc/limits.md)" },
};

void look_parameters(struct doctor *d)
{
	char list[VALUE_MAX];
	const char *value;

	controller_setting(&d->controller, "SchedulerParameters", list, sizeof(list));
	for (size_t i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
		const char *name = parameters[i].name;
		int64_t number;

		if (!word_find(list, name, &value))
			continue;
		number = value ? strtoll(value, NULL, 10) : 0;
		if (number >= parameters[i].from && number <= parameters[i].to)
			found(d, parameters[i].severity, "SchedulerParameters", "%s%s%.*s: %s",
			      name, value ? "=" : "", value ? (int) strcspn(value, ",") : 0,
			      value ? value : "", parameters[i].message);
	}
}
