/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.c - scohort apply: another cohort.yaml is put in force
 *
 * The file is replaced as a whole, by one scohort at a time. The lock is on a file of its
 * own, cohort.yaml.lock, as each change puts another cohort.yaml in the place of the one
 * before. It holds on a shared file system, too.
 *
 * slurmctld publishes which text it has taken or rejected; scontrol reconfigure
 * alone returns 0 in both cases.
 */
#define _GNU_SOURCE	/* mkostemp, F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "apply/apply.h"
#include "check/check.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "lib/hash.h"
#include "must.h"
#include "output/exit_status.h"
#include "slurm/api.h"
#include "yaml/file.h"

#define SECONDS_MAX 60		/* until slurmctld has read it and said so */
#define POLL_NS 200000000
#define ERROR_SIZE (PATH_MAX + 1024)

/* ---- the lock ---- */

/* 0, or -1 with errno */
static int lock_wait(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int rc = fcntl(fd, F_OFD_SETLK, &whole);

	if (rc && (errno == EAGAIN || errno == EACCES)) {
		complain("waits for another scohort that changes cohort.yaml");
		while ((rc = fcntl(fd, F_OFD_SETLKW, &whole)) && errno == EINTR)
			;
	}
	return rc;
}

/* One scohort at a time: waits for the lock, which ends with the process. False: said on
 * stderr why there is none */
static bool file_lock(void)
{
	char path[CONF_PATH_MAX];
	int fd;

	conf_path("cohort.yaml.lock", path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && !lock_wait(fd))
		return true;
	complain("%s: %s; nothing was changed", path, strerror(errno));
	return false;
}

/* ---- the text ---- */

bool file_holds(const char *path, const struct text *text)
{
	size_t n;
	char *there = file_read(path, &n);
	bool same = there && n == text->len && !memcmp(there, text->of, n);

	free(there);
	return same;
}

/* like: the mode and owner that it gets. fd is closed. -1 with errno */
static int file_fill(int fd, const struct stat *like, const struct text *text)
{
	FILE *file = fdopen(fd, "w");
	bool done = file && !fchmod(fd, like->st_mode & 07777)
		    && (!fchown(fd, like->st_uid, like->st_gid) || geteuid() != 0)
		    && fwrite(text->of, 1, text->len, file) == text->len
		    && !fflush(file) && !fsync(fd);

	if (file ? fclose(file) : close(fd))
		done = false;
	return done ? 0 : -1;
}

/* Writes the text beside path and renames it. -1 with errno */
static int file_replace(const char *path, const struct stat *like, const struct text *text)
{
	char *beside = must_format("%s.XXXXXX", path);
	int fd = mkostemp(beside, O_CLOEXEC), saved;
	int rc = fd < 0 ? -1 : file_fill(fd, like, text);

	if (!rc)
		rc = rename(beside, path);
	saved = errno;
	if (rc && fd >= 0)
		unlink(beside);
	free(beside);
	errno = saved;
	return rc;
}

/* Replaces what is at path by a file with this text, of the same mode and owner, and
 * writes `old` (or NULL) to `keep` before. Others see the old file or the new one, each
 * as a whole. -1 with a message in err. */
static int file_install(const char *path, const struct text *text, const char *keep,
		 const struct text *old, char *err, size_t size)
{
	/* a link stays one, and what it names is replaced */
	char *target = realpath(path, NULL);
	const char *failed = NULL;
	struct stat st;

	if (!target || stat(target, &st))
		failed = path;
	else if (old && file_replace(keep, &st, old))
		failed = keep;
	else if (file_replace(target, &st, text))
		failed = path;
	if (failed)
		snprintf(err, size, "%s: %s", failed, strerror(errno));
	free(target);
	return failed ? -1 : 0;
}

/* ---- slurmctld reads it ---- */

int apply_open(struct apply *a)
{
	*a = (struct apply) { .path = "" };
	conf_path("cohort.yaml", a->path, sizeof(a->path));
	if (!file_lock())
		return STATUS_FAILED;
	return published_open_live(&a->p, &a->controller);
}

void apply_close(struct apply *a)
{
	published_close(&a->p);
	controller_close(&a->controller);
}

static void reconfigure(void *arg)
{
	int *error = arg;

	*error = slurm_reconfigure() ? errno : 0;
}

static int64_t reading_of(const struct published *p)
{
	return json_number(json_member(p->document, "configuration"), "reading");
}

/* That of the last reading, right before the next one */
static int64_t reading_now(const struct apply *a)
{
	char ignored[ERROR_SIZE];
	struct published p;
	int64_t reading;

	published_open(&p, &a->controller, ignored, sizeof(ignored));
	reading = reading_of(&p);
	published_close(&p);
	return reading;
}

/* 1: the text of that hash is in force; 0: not yet; -1: rejected since the reading of
 * that number, and err says why */
static int answer_look(const struct apply *a, const char *hash, int64_t reading, char *err,
		       size_t size)
{
	char ignored[ERROR_SIZE];
	struct published p;
	int rc = 0;

	if (!published_open(&p, &a->controller, ignored, sizeof(ignored))
	    && reading_of(&p) != reading) {
		struct json_object *c = json_member(p.document, "configuration");

		rc = !json_truth(c, "valid") ? -1 : !strcmp(json_text(c, "hash"), hash);
		snprintf(err, size, "slurmctld rejected it: %s", json_text(c, "error"));
	}
	published_close(&p);
	return rc;
}

/* Has slurmctld read cohort.yaml, and waits until this text is in force. False: it is
 * not, err says why. */
static bool text_take(const struct apply *a, const struct text *text, int64_t reading,
		      char *err, size_t size)
{
	/* a call that took too long may still return later */
	static int error;
	struct timespec pause = { .tv_nsec = POLL_NS };
	time_t end = time(NULL) + SECONDS_MAX;
	char hash[20];
	int rc;

	snprintf(hash, sizeof(hash), "%016" PRIx64, hash_bytes(HASH_INIT, text->of, text->len));
	if (!timed_call(reconfigure, &error, SECONDS_MAX)) {
		snprintf(err, size, "scontrol reconfigure takes longer than %d seconds",
			 SECONDS_MAX);
		return false;
	}
	if (error) {
		snprintf(err, size, "scontrol reconfigure: %s", slurm_strerror(error));
		return false;
	}
	while (!(rc = answer_look(a, hash, reading, err, size)) && time(NULL) < end)
		nanosleep(&pause, NULL);
	if (!rc)
		snprintf(err, size, "slurmctld has not taken it in %d seconds", SECONDS_MAX);
	return rc > 0;
}

/* ---- in place, and back ---- */

static void put_back(const struct apply *a, const struct text *new, const char *keep,
		     const struct text *old)
{
	int64_t reading = reading_now(a);
	char err[ERROR_SIZE];

	if (!file_holds(a->path, new))
		complain("%s was changed by others meanwhile: what they wrote stays; "
			 "the file before is %s", a->path, keep);
	else if (file_install(a->path, old, NULL, NULL, err, sizeof(err)))
		complain("the old file cannot be put back: %s", err);
	else if (!text_take(a, old, reading, err, sizeof(err)))
		complain("the old file is in its place again, but %s", err);
	else
		complain("the old file is in its place again, and in force");
}

static int text_install(const struct apply *a, const struct text *new, const struct text *old)
{
	char keep[CONF_PATH_MAX + 8], err[ERROR_SIZE];
	int64_t reading = reading_now(a);

	snprintf(keep, sizeof(keep), "%s.old", a->path);
	if (file_install(a->path, new, keep, old, err, sizeof(err))) {
		complain("%s; nothing was changed", err);
		return STATUS_FAILED;
	}
	if (text_take(a, new, reading, err, sizeof(err))) {
		printf("%s is in force; the old file is %s\n", a->path, keep);
		return STATUS_OK;
	}
	complain("%s", err);
	put_back(a, new, keep, old);
	return STATUS_FAILED;
}

int apply_text(const struct apply *a, const char *text, const char *in_force)
{
	struct text new = { text, strlen(text) }, old;
	char *disk = file_read(a->path, &old.len);
	int status = STATUS_FAILED;
	bool there;

	old.of = disk;
	there = disk && in_force && old.len == new.len && !memcmp(disk, text, new.len);
	if (there && !strcmp(in_force, text)) {
		printf("%s is in force already\n", a->path);
		free(disk);
		return STATUS_OK;
	}
	if (there)
		old = (struct text) { in_force, strlen(in_force) };
	if (!json_member(a->p.document, "configuration"))
		complain("slurmctld does not tell which configuration is in force");
	else if (!disk)
		complain("%s: %s", a->path, strerror(errno));
	else
		status = text_install(a, &new, &old);
	free(disk);
	return status;
}

/* ---- the command ---- */

static const struct cli_option options[] = {
	{ "yes", 'y', NULL, "do not ask; without a terminal nothing is asked", CLI_FLAG, 0, 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "FILE", .min = 1, .max = 1,
	.about = "Checks FILE, shows what it would change, asks, puts it in the place of the "
		 "cohort.yaml\nbeside slurm.conf, keeps the old one as cohort.yaml.old, and waits "
		 "until it is in force.\nIf slurmctld does not take it, the old one is put back.\n",
	.options = options, .output = CLI_PLAIN,
};

bool apply_diff(const struct apply *a, const struct conf *from, const struct conf *to)
{
	struct json_object *diff = NULL;
	struct output out;
	char err[ERROR_SIZE];
	bool any = true;

	output_init(&out);
	if (from && to)
		diff = diff_make(from, to, &a->p, &a->controller, err, sizeof(err));
	if (diff)
		any = diff_print(&out, diff);
	else if (from && to)
		complain("%s", err);
	fflush(stdout);
	json_object_put(diff);
	return any;
}

/* To what cohort.yaml was when it was asked. Scripts are not asked: their answer is that they run
 * apply. */
static bool is_agreed(const struct apply *a)
{
	char answer[16], *disk;
	bool agreed;
	size_t n;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return true;
	disk = file_read(a->path, &n);
	printf("Put it in force? [y/N] ");
	fflush(stdout);
	if (!fgets(answer, sizeof(answer), stdin) || (*answer != 'y' && *answer != 'Y'))
		agreed = complain("nothing was changed");
	else
		agreed = !disk || file_holds(a->path, &(struct text) { disk, n })
			 || complain("%s was changed by others meanwhile; nothing was changed",
				     a->path);
	free(disk);
	return agreed;
}

static int file_apply(const struct apply *a, const char *path, bool yes)
{
	struct conf *to = acceptable_load(path, &a->controller), *from;
	char err[ERROR_SIZE];
	int status = STATUS_FAILED;

	if (!to)
		return STATUS_FAILED;
	from = diff_in_force(&a->p, &a->controller, err, sizeof(err));
	if (!from)
		complain("%s", err);
	if (!apply_diff(a, from, to) || yes || is_agreed(a))
		status = apply_text(a, to->source, from ? from->source : NULL);
	conf_destroy(from);
	conf_destroy(to);
	return status;
}

int cmd_apply(int argc, char **argv)
{
	bool yes = false;
	struct apply a;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, &yes, &call))
		return call.status;
	status = apply_open(&a);
	if (!status)
		status = file_apply(&a, call.args[0], yes);
	apply_close(&a);
	return status;
}
