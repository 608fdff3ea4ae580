/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * controller.c - slurmctld: is it up, where does it keep its state? And calls that may
 *		  take too long
 */
#define _GNU_SOURCE	/* open_memstream, pthread_timedjoin_np, on_exit */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "output/exit_status.h"
#include "output/output.h"
#include "slurm/api.h"
#include "slurm/controller.h"

/* In slurm_conf_t.accounting_storage_enforce: slurm.h has no name for it. */
#define ENFORCE_ASSOCIATIONS 1
/* How long slurmctld may take to answer, if SCOHORT_TIMEOUT says nothing else */
#define ANSWER_SECONDS 5
#define DOWN_SECONDS 2		/* if the first one refuses a connection */

/* ---- calls that may take too long ---- */

#define SECONDS_MAX 20		/* a busy slurmctld may need that long to answer */

struct job {
	void (*f)(void *arg);
	void *arg;
};

static void *run(void *arg)
{
	struct job job = *(struct job *) arg;

	free(arg);
	job.f(job.arg);
	return NULL;
}

/* The abandoned thread uses what exit() would free. */
static void leave(int status, void *arg)
{
	(void) arg;
	fflush(NULL);
	_exit(status);
}

bool timed_call(void (*f)(void *arg), void *arg, int seconds)
{
	static bool lost;	/* some thread was left behind */
	struct job *job = malloc(sizeof(*job));
	struct timespec until;
	pthread_t thread;

	if (!job)
		return false;
	*job = (struct job) { f, arg };
	if (pthread_create(&thread, NULL, run, job)) {
		free(job);
		return false;
	}
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	if (!pthread_timedjoin_np(thread, NULL, &until))
		return true;
	pthread_detach(thread);
	if (!lost)
		lost = !on_exit(leave, NULL);
	return false;
}

bool timed_question(void (*f)(void *arg), void *arg, const int *error, char *err, size_t size)
{
	bool asked = timed_call(f, arg, SECONDS_MAX);

	snprintf(err, size, "%s", !asked ? "slurmctld does not answer" : slurm_strerror(*error));
	return asked && !*error;
}

/* ---- its configuration ---- */

struct question {
	bool down;		/* the first controller */
	slurm_conf_t *conf;
	int error;
};

static void ping(void *arg)
{
	((struct question *) arg)->down = slurm_ping(0);
}

static void ask(void *arg)
{
	struct question *q = arg;

	q->error = slurm_load_ctl_conf(0, &q->conf) ? errno : 0;
}

/* The first controller refuses a connection at once if it is down, and libslurm would retry
 * it for a long time. A backup may answer instead, so it is asked all the same. */
static bool conf_ask(struct question *q, int seconds)
{
	time_t begin = time(NULL);

	if (!timed_call(ping, q, seconds))
		return false;
	seconds -= (int) (time(NULL) - begin);
	return timed_call(ask, q, q->down ? DOWN_SECONDS : seconds < 1 ? 1 : seconds);
}

static char *copy(const char *text)
{
	return strdup(text ? text : "");
}

static bool is_word(const char *text, const char *word)
{
	return text && !strcmp(text, word);
}

/* NULL without memory */
static char *settings_of(slurm_conf_t *conf)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	slurm_print_ctl_conf(file, conf);
	fclose(file);
	return text;
}

static void controller_fill(struct controller *controller, slurm_conf_t *conf)
{
	*controller = (struct controller) {
		.state_dir = copy(conf->state_save_location),
		.slurm_conf = copy(conf->slurm_conf),
		.preempt_type = copy(conf->preempt_type),
		.gres_types = copy(conf->gres_plugins),
		.settings = settings_of(conf),
		.max_nodes = conf->max_node_cnt == NO_VAL ? 0 : conf->max_node_cnt,
		.accounts_needed = conf->accounting_storage_enforce & ENFORCE_ASSOCIATIONS,
		.keeps_usage = is_word(conf->priority_type, "priority/multifactor")
			&& is_word(conf->accounting_storage_type, "accounting_storage/slurmdbd"),
		.private_jobs = conf->private_data & PRIVATE_DATA_JOBS,
		.boot_time = conf->boot_time,
		.slurm_user = conf->slurm_user_id,
	};
}

/* -1, and why, if that is no number */
static int seconds_allowed(char *err, size_t size)
{
	const char *env = getenv("SCOHORT_TIMEOUT");
	char *end;
	long seconds;

	if (!env || !*env)
		return ANSWER_SECONDS;
	errno = 0;
	seconds = strtol(env, &end, 10);
	if (!errno && !*end && seconds >= 1 && seconds <= 3600)
		return seconds;
	snprintf(err, size, "SCOHORT_TIMEOUT: \"%s\" is not a number of seconds from 1 to 3600",
		 env);
	return -1;
}

int controller_open(struct controller *controller, char *err, size_t size)
{
	int seconds = seconds_allowed(err, size);
	/* a question that took too long may still be answered later */
	static struct question q;

	memset(controller, 0, sizeof(*controller));
	memset(&q, 0, sizeof(q));
	if (seconds < 0)
		return STATUS_USAGE;
	slurm_init(NULL);
	if (!conf_ask(&q, seconds)) {
		snprintf(err, size, "slurmctld does not answer");
		return STATUS_DOWN;
	}
	if (q.error) {
		snprintf(err, size, "slurmctld does not answer: %s", slurm_strerror(q.error));
		return STATUS_DOWN;
	}
	controller_fill(controller, q.conf);
	api_free_conf(q.conf);
	return STATUS_OK;
}

void controller_close(struct controller *controller)
{
	free(controller->state_dir);
	free(controller->slurm_conf);
	free(controller->preempt_type);
	free(controller->gres_types);
	free(controller->settings);
	memset(controller, 0, sizeof(*controller));
}

bool controller_setting(const struct controller *controller, const char *key, char *value,
			size_t size)
{
	size_t len = strlen(key);

	*value = '\0';
	for (const char *line = controller->settings; line; line = strchr(line, '\n')) {
		const char *rest;

		line += *line == '\n';
		if (strncasecmp(line, key, len))
			continue;
		rest = line + len + strspn(line + len, " ");
		if (strncmp(rest, "= ", 2))
			continue;
		rest += 2;
		snprintf(value, size, "%.*s", (int) strcspn(rest, "\n"), rest);
		if (!strcmp(value, "(null)"))
			*value = '\0';
		return *value;
	}
	return false;
}

int controller_open_cohort(struct controller *controller)
{
	char err[256];
	int status = controller_open(controller, err, sizeof(err));

	if (status) {
		complain("%s", err);
		return status;
	}
	if (!strcmp(controller->preempt_type, COHORT_PLUGIN))
		return STATUS_OK;
	complain("slurmctld runs without slurm-cohort (PreemptType=%s)", controller->preempt_type);
	controller_close(controller);
	return STATUS_FAILED;
}
