/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify.c - a program that is run for each event
 *
 *  posix_spawn() copies neither memory nor locks of slurmctld: between it and
 *  the program only the C library runs. The program begins in a session of its
 *  own, with signals as a new process has them, without any file of slurmctld,
 *  and as SlurmUser. No shell sees its arguments: it has none.
 *
 *  Its thread looks for the end of each program by its id, which slurmctld does
 *  not do for processes it does not know. A program that runs too long is
 *  killed with its session's processes. When slurmctld ends, programs go on, and
 *  init gets them; under systemd they get SIGTERM with it (KillMode). What waits
 *  for its turn is dropped when control goes: another slurmctld does the next.
\*****************************************************************************/
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "events/notify.h"

#include "state/state.h"
#include "slurm/clock.h"
#include "slurm/control.h"
#include "events/backlog.h"
#include "events/complaint.h"
#include "events/notify_env.h"

#include "yaml/file.h"

#define AT_ONCE_MAX 64		/* as cohort.yaml allows */
#define WAITING_MAX EVENTS_MAX

struct child {
	pid_t pid;			/* 0: this place is free */
	uint64_t until;			/* it is killed then; 0: it was */
};

struct waiting {
	struct waiting *next;
	struct notify_env *env;
	uint32_t term;			/* of control; it is not run in others */
};

/* As configured; the lock guards no more than that and `ran`. */
static struct {
	pthread_mutex_t lock;
	char *program;			/* NULL: none */
	char *mail_prog, *slurm_conf;
	uid_t owner;
	uint64_t limit;			/* usec */
	int at_once;
	int64_t ran;
} notify = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct complaint failed = COMPLAINT("notify failed");

/* Of the thread of events only */
static struct {
	struct child children[AT_ONCE_MAX];
	int nchildren;
	struct waiting *first, **end;
	int nwaiting;
} work;

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
	    (rc = posix_spawn_file_actions_addopen(files, 0, "/dev/null",
						   O_RDWR, 0)) ||
	    (rc = posix_spawn_file_actions_adddup2(files, 0, 1)) ||
	    (rc = posix_spawn_file_actions_adddup2(files, 0, 2)))
		return rc;
#if __GLIBC_PREREQ(2, 34)
	rc = posix_spawn_file_actions_addclosefrom_np(files, 3);
#endif
	return rc;
}

/* `real` is the program without links. */
static int _spawn(pid_t *pid, const char *program, const char *real,
		  struct notify_env *env)
{
	char *argv[] = { (char *) program, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc;

	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_init(&files);
	if (!(rc = _set_up(&attr, &files)))
		rc = posix_spawn(pid, real, &files, &attr, argv,
				 notify_env_list(env));
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

/* It was to be trusted when cohort.yaml was read. */
static pid_t _begin(const char *program, uid_t owner, struct notify_env *env)
{
	char err[256], *real;
	pid_t pid = 0;
	int rc;

	if (!(real = file_find_program(program, owner, err, sizeof(err))))
		complaint_add(&failed, "%s %s", program, err);
	else if ((rc = _spawn(&pid, program, real, env)))
		complaint_add(&failed, "%s: %s", program, strerror(rc));
	free(real);
	return pid;
}

static void _ended(const struct child *child, int status)
{
	if (!child->until)
		complaint_add(&failed, "killed, it took longer than timeLimit");
	else if (WIFSIGNALED(status))
		complaint_add(&failed, "ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		complaint_add(&failed, "exit status %d", WEXITSTATUS(status));
	else {
		slurm_mutex_lock(&notify.lock);
		notify.ran++;
		slurm_mutex_unlock(&notify.lock);
	}
}

/* Its place is free if it has ended. */
static void _look(struct child *child, uint64_t now)
{
	int status = 0;
	pid_t pid;

	if (child->until && (now >= child->until)) {
		(void) kill(-child->pid, SIGKILL);
		child->until = 0;
	}
	pid = waitpid(child->pid, &status, WNOHANG);
	if (!pid || ((pid < 0) && (errno == EINTR)))
		return;
	if (pid < 0)
		complaint_add(&failed, "waitpid: %s", strerror(errno));
	else
		_ended(child, status);
	child->pid = 0;
	work.nchildren--;
}

/* ---- those that wait ---- */

extern void notify_put(struct json_object *event, uint32_t term)
{
	struct waiting *waiting;

	slurm_mutex_lock(&notify.lock);
	if (notify.program && (work.nwaiting < WAITING_MAX)) {
		waiting = xmalloc(sizeof(*waiting));
		waiting->env = notify_env_create(event, notify.mail_prog,
						 notify.slurm_conf);
		waiting->term = term;
		if (!work.first)
			work.end = &work.first;
		*work.end = waiting;
		work.end = &waiting->next;
		work.nwaiting++;
	} else if (notify.program) {
		complaint_add(&failed, "too many wait for their turn");
	}
	slurm_mutex_unlock(&notify.lock);
}

static struct notify_env *_take(void)
{
	struct waiting *waiting = work.first;
	struct notify_env *env = waiting->env;

	work.first = waiting->next;
	work.nwaiting--;
	xfree(waiting);
	return env;
}

static void _drop_stale(void)
{
	while (work.first && !control_is_in(work.first->term)) {
		notify_env_free(_take());
		complaint_add(&failed, "control went before it was run");
	}
}

static struct child *_free_place(int at_once)
{
	for (int i = 0; (work.nchildren < at_once) && (i < AT_ONCE_MAX); i++) {
		if (!work.children[i].pid)
			return &work.children[i];
	}
	return NULL;
}

static void _begin_waiting(void)
{
	struct child *child = NULL;
	char *program;
	uint64_t limit;
	int at_once;
	uid_t owner;

	slurm_mutex_lock(&notify.lock);
	program = xstrdup(notify.program);
	owner = notify.owner;
	limit = notify.limit;
	at_once = notify.at_once;
	slurm_mutex_unlock(&notify.lock);
	while (work.first && (!program || (child = _free_place(at_once)))) {
		struct notify_env *env = _take();

		/* none is configured any more: it is dropped */
		if (program && (child->pid = _begin(program, owner, env))) {
			child->until = clock_usec() + limit;
			work.nchildren++;
		}
		notify_env_free(env);
	}
	xfree(program);
}

extern bool notify_run(bool begin)
{
	uint64_t now = clock_usec();

	for (int i = 0; i < AT_ONCE_MAX; i++) {
		if (work.children[i].pid)
			_look(&work.children[i], now);
	}
	_drop_stale();
	if (begin)
		_begin_waiting();
	complaint_tell(&failed);
	return work.nchildren > 0;
}

/* ---- configuration, publication ---- */

extern void notify_complain(void)
{
	complaint_tell(&failed);
}

extern void notify_configure(void)
{
	const struct conf_notify *conf = &ctld.conf->notify;

	slurm_mutex_lock(&notify.lock);
	xfree(notify.program);
	xfree(notify.mail_prog);
	xfree(notify.slurm_conf);
	notify.program = xstrdup(conf->program);
	notify.mail_prog = xstrdup(slurm_conf.mail_prog);
	notify.slurm_conf = xstrdup(slurm_conf.slurm_conf);
	notify.owner = slurm_conf.slurm_user_id;
	notify.limit = conf->time_limit / 1000;
	notify.at_once = conf->at_once;
	slurm_mutex_unlock(&notify.lock);
}

extern struct json_object *notify_json(void)
{
	struct json_object *o = json_object_new_object();

	slurm_mutex_lock(&notify.lock);
	json_object_object_add(o, "ran", json_object_new_int64(notify.ran));
	slurm_mutex_unlock(&notify.lock);
	json_object_object_add(o, "failed",
			       json_object_new_int64(complaint_count(&failed)));
	return o;
}
