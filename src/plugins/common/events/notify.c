/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify.c - a program that is run for each event
 *
 *  posix_spawn() copies neither memory nor locks of slurmctld: between it and
 *  the program only the C library runs. The program begins in a session of its
 *  own, with signals as a new process has them, without any file of slurmctld,
 *  and as SlurmUser. No shell sees its arguments: it has none. The event is its
 *  environment, with nothing of slurmctld's own. Users choose names of jobs,
 *  accounts and addresses: a program that prints them prints no control
 *  characters, and no second line.
 *
 *  The thread of events looks for the end of each program by its id, which
 *  slurmctld does not do for processes it does not know. A program that runs too
 *  long is killed with its session's processes. When slurmctld ends, programs go
 *  on, and init gets them; under systemd they get SIGTERM with it (KillMode).
 *  Events that wait for their turn are dropped when control goes: another
 *  slurmctld does the next.
\*****************************************************************************/
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/wait.h>

#include "events/notify.h"

#include "state/json.h"
#include "slurm/worker.h"

#include "text/printable.h"
#include "yaml/file.h"

#define VALUE_MAX 1024

_Atomic int64_t notify_ran;
struct complaint notify_failed = COMPLAINT("notify failed");

struct child {
	pid_t pid;
	uint64_t until;			/* it is killed then; 0: it was */
};

/* Of the thread of events only */
static compat_list_t children;		/* of struct child: programs that run */
static compat_list_t waiting;		/* of struct event */

extern void event_free(void *x)
{
	struct event *event = x;

	json_object_put(event->body);
	xfree(event);
}

/* ---- complaints ---- */

#define INTERVAL_USEC 60000000

extern void complaint_add(struct complaint *c, int64_t n, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	slurm_mutex_lock(&c->lock);
	c->count += n;
	vsnprintf(c->reason, sizeof(c->reason), format, ap);
	slurm_mutex_unlock(&c->lock);
	va_end(ap);
}

extern void complaint_tell(struct complaint *c)
{
	uint64_t now = clock_usec();
	char reason[sizeof(c->reason)];
	int64_t n;

	slurm_mutex_lock(&c->lock);
	n = c->count - c->logged;
	if (c->logged_at && (now - c->logged_at < INTERVAL_USEC))
		n = 0;
	if (n) {
		memcpy(reason, c->reason, sizeof(reason));
		c->logged = c->count;
		c->logged_at = now;
	}
	slurm_mutex_unlock(&c->lock);
	if (n)		/* the log may be slow */
		error(PREFIX "%s: %"PRId64": %s", c->what, n, reason);
}

/* ---- the environment ---- */

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

#define ENV_SIZE (ARRAY_SIZE(variables) + 6)

/* What is no visible character is shown as \xNN. */
static char *_variable(const char *name, const char *value)
{
	char shown[VALUE_MAX] = "";

	(void) printable_append(shown, sizeof(shown), value, VALUE_MAX - 1);
	return xstrdup_printf("%s=%s", name, shown);
}

/* The variables of cohort.yaml(5), notify; to be freed by _env_free() */
static void _env_make(char *env[ENV_SIZE], const struct notify_settings *s,
		      struct json_object *event)
{
	struct json_object *by = NULL, *from;
	int n = 0;

	(void) json_object_object_get_ex(event, "by", &by);
	env[n++] = xstrdup("PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
	env[n++] = xstrdup("LC_ALL=C.UTF-8");
	env[n++] = xstrdup("COHORT_EVENT=eviction");
	env[n++] = _variable("SLURM_CONF", s->slurm_conf);
	env[n++] = _variable("COHORT_MAIL_PROG", s->mail_prog);
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		from = variables[i].by ? by : event;
		if (from && json_object_object_get(from, variables[i].key))
			env[n++] = _variable(variables[i].name, json_text_of(
						     from, variables[i].key));
	}
	env[n] = NULL;
}

static void _env_free(char *env[ENV_SIZE])
{
	for (int i = 0; env[i]; i++)
		xfree(env[i]);
}

/* ---- one program ---- */

/* 0, or an error number */
static int _set_up(posix_spawnattr_t *attr, posix_spawn_file_actions_t *files)
{
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	if ((rc = posix_spawnattr_setsigmask(attr, &none)) ||
	    (rc = posix_spawnattr_setsigdefault(attr, &all)) ||
	    (rc = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK |
					   POSIX_SPAWN_SETSIGDEF |
					   POSIX_SPAWN_SETSID)) ||
	    (rc = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDWR, 0)) ||
	    (rc = posix_spawn_file_actions_adddup2(files, 0, 1)) ||
	    (rc = posix_spawn_file_actions_adddup2(files, 0, 2)))
		return rc;
#if __GLIBC_PREREQ(2, 34)
	rc = posix_spawn_file_actions_addclosefrom_np(files, 3);
#endif
	return rc;
}

/* `real` is the program without links. */
static int _spawn(pid_t *pid, const char *program, const char *real, char **env)
{
	char *argv[] = { (char *) program, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc;

	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_init(&files);
	if (!(rc = _set_up(&attr, &files)))
		rc = posix_spawn(pid, real, &files, &attr, argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

/* 0: it did not begin. It was to be trusted when cohort.yaml was read. */
static pid_t _begin(const struct notify_settings *s, struct json_object *event)
{
	char err[256], *env[ENV_SIZE], *real;
	pid_t pid = 0;
	int rc;

	_env_make(env, s, event);
	if (!(real = file_find_program(s->program, s->owner, err, sizeof(err))))
		complaint_add(&notify_failed, 1, "%s %s", s->program, err);
	else if ((rc = _spawn(&pid, s->program, real, env)))
		complaint_add(&notify_failed, 1, "%s: %s", s->program, strerror(rc));
	free(real);
	_env_free(env);
	return pid;
}

static void _ended(const struct child *child, int status)
{
	if (!child->until)
		complaint_add(&notify_failed, 1, "killed, it took longer than timeLimit");
	else if (WIFSIGNALED(status))
		complaint_add(&notify_failed, 1, "ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		complaint_add(&notify_failed, 1, "exit status %d", WEXITSTATUS(status));
	else
		notify_ran++;
}

/* For list_delete_all(): is it over? */
static int _is_over(void *x, void *arg)
{
	uint64_t now = *(uint64_t *) arg;
	struct child *child = x;
	int status = 0;
	pid_t pid;

	if (child->until && (now >= child->until)) {
		(void) kill(-child->pid, SIGKILL);
		child->until = 0;
	}
	pid = waitpid(child->pid, &status, WNOHANG);
	if (!pid || ((pid < 0) && (errno == EINTR)))
		return 0;
	if (pid < 0)
		complaint_add(&notify_failed, 1, "waitpid: %s", strerror(errno));
	else
		_ended(child, status);
	return 1;
}

/* ---- events that wait ---- */

extern void notify_start(void)
{
	if (children)
		return;
	children = list_create(xfree_ptr);
	waiting = list_create(event_free);
}

extern void notify_put(const struct notify_settings *s, struct event *event)
{
	if (s->program && (list_count(waiting) < EVENTS_MAX)) {
		list_append(waiting, event);
		return;
	}
	if (s->program)
		complaint_add(&notify_failed, 1, "too many wait for their turn");
	event_free(event);
}

static void _begin_next(const struct notify_settings *s, struct json_object *event)
{
	struct child *child;
	pid_t pid = _begin(s, event);

	if (!pid)
		return;
	child = xmalloc(sizeof(*child));
	*child = (struct child) { pid, clock_usec() + s->limit };
	list_append(children, child);
}

/* Where none is configured any more, events are dropped. */
static void _begin_waiting(const struct notify_settings *s)
{
	struct event *event;

	while ((!s->program || (list_count(children) < s->at_once)) &&
	       (event = list_pop(waiting))) {
		if (s->program)
			_begin_next(s, event->body);
		event_free(event);
	}
}

static void _drop_stale(void)
{
	struct event *event;

	while ((event = list_peek(waiting)) && !control_is_in(event->term)) {
		event_free(list_pop(waiting));
		complaint_add(&notify_failed, 1, "control went before it was run");
	}
}

extern bool notify_run(const struct notify_settings *s, bool begin)
{
	uint64_t now = clock_usec();

	(void) list_delete_all(children, _is_over, &now);
	_drop_stale();
	if (begin)
		_begin_waiting(s);
	complaint_tell(&notify_failed);
	return list_count(children) > 0;
}
