/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  events.c - what has happened, told to a file, by a thread without locks
 *
 *  events.file, by default cohort_events.jsonl in StateSaveLocation: one line
 *  of JSON for each eviction, when the run of the job has ended, and for what
 *  enforcement would do while quota is only observed. cohort.yaml(5) has its form.
 *  The file names users, so only SlurmUser can read it.
 *
 *  The thread also looks up the names of users, which may ask a server. If it
 *  hangs, or the disk is full, events are lost, and counted; nothing waits for
 *  it. The same thread runs the programs of notify.
 *
 *  The file is opened anew for each write: others may have moved it away
 *  (logrotate), and after a takeover another slurmctld writes it. What is
 *  written is complete when _append() returns, or it is not there: a disk
 *  that gets full leaves no part of a line. Only a disk that fails twice may
 *  leave lines that are not known to be there.
\*****************************************************************************/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/events.h"

#include "state/json.h"
#include "slurm/worker.h"
#include "events/notify.h"

#include "src/common/uid.h"

#define FILE_MODE 0600
#define TAIL_BYTES 4096
#define DEFAULT_NAME "cohort_events.jsonl"
#define BATCH_MAX 256		/* written at once, of some 2 kB at most */
#define BATCH_NS (SPEC_SEC / 10)	/* no other name is looked up for it then */
#define REST_NS (60 * SPEC_SEC)
#define NOTIFY_LOOK_NS (SPEC_SEC / 10)	/* while programs run */

struct settings {
	char *path;			/* NULL: no event is written */
	int64_t max_bytes;		/* the file grows no larger */
	int64_t keep;			/* so many older ones: PATH.1 is the newest */
	struct notify_settings notify;
};

/* Passes append to the backlog, under the job lock; the thread takes events out without it. */
static struct {
	compat_list_t backlog;		/* of struct event, the oldest first */
	struct settings *_Atomic configured;	/* that the thread has not taken yet, or NULL */
	struct settings *settings;	/* the thread's */
	_Atomic int64_t written, writes;	/* events; how often some were written */
} events;

static struct complaint lost = COMPLAINT("events lost");

/* ---- a part of a line ---- */

/* The size of the file without what follows its last line; -1 with errno. Mostly
 * the first look is enough. */
static off_t _size_of_lines(int fd, off_t size)
{
	char tail[TAIL_BYTES], *end = NULL;

	while (size && !end) {
		off_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
		ssize_t n = pread(fd, tail, size - from, from);

		if (n < 0)
			return -1;
		end = memrchr(tail, '\n', n);
		size = end ? from + (end - tail) + 1 : from;
	}
	return size;
}

/* ---- the file ---- */

/* Not another user's file, nor one that has other names: a folder that others
 * can write to may have anything at this path. */
static bool _is_own_file(const struct stat *st)
{
	return S_ISREG(st->st_mode) && (st->st_uid == geteuid()) && (st->st_nlink == 1);
}

/* Opening it never waits, as it would for a FIFO. -1 with errno */
static int _open(const char *path, off_t *size)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW |
		      O_NONBLOCK | O_CLOEXEC, FILE_MODE), saved;
	struct stat st;

	if (fd < 0)
		return -1;
	errno = 0;
	if (!fstat(fd, &st)) {
		if (!_is_own_file(&st))
			errno = EPERM;
		else if (((st.st_mode & 07777) == FILE_MODE) || !fchmod(fd, FILE_MODE))
			*size = _size_of_lines(fd, st.st_size);
	}
	if (!errno && ((*size == st.st_size) || !ftruncate(fd, *size)))
		return fd;
	saved = errno;
	(void) close(fd);
	errno = saved;
	return -1;
}

/* ---- older ones ---- */

/* PATH becomes PATH.1, and so on; what was PATH.keep goes. A crash may leave
 * out a number, which does no harm. -1 with errno */
static int _rotate(const struct settings *file)
{
	char *from, *to = NULL;
	int rc = 0;

	if (!file->keep)
		return unlink(file->path);
	for (int64_t n = file->keep; n && !rc; n--) {
		to = xstrdup_printf("%s.%"PRId64, file->path, n);
		from = n == 1 ? xstrdup(file->path) :
			xstrdup_printf("%s.%"PRId64, file->path, n - 1);
		if (rename(from, to) && (errno != ENOENT))
			rc = -1;
		xfree(from);
		xfree(to);
	}
	return rc;
}

/* For so many bytes: where they would make the file too large they begin a new one. -1 with
 * errno */
static int _open_for(const struct settings *file, size_t len, off_t *size)
{
	int fd = _open(file->path, size);

	if ((fd < 0) || !*size || (*size + (int64_t) len <= file->max_bytes))
		return fd;
	(void) close(fd);
	*size = 0;
	return _rotate(file) ? -1 : _open(file->path, size);
}

/* ---- lines ---- */

/* All of them or none, unless the disk fails and what was written can't be cut off: then the
 * next one cuts off a part of a line. 0, or an error number */
static int _append_text(int fd, off_t size, const char *text, size_t len)
{
	int why;

	while (len) {
		ssize_t n = write(fd, text, len);

		if (n >= 0) {
			text += n;
			len -= n;
		} else if (errno != EINTR) {
			break;
		}
	}
	if (!len && !fdatasync(fd))
		return 0;
	why = errno;
	return ftruncate(fd, size) ? EIO : why;
}

/* With one fdatasync(), which may take as long as the file system takes. 0, or an error number */
static int _append(const struct settings *file, struct event **list, int n)
{
	char *text = NULL, *end = NULL;
	off_t size = 0;
	int fd, why;

	for (int i = 0; i < n; i++)
		xstrfmtcatat(text, &end, "%s\n", json_object_to_json_string_ext(
				     list[i]->body, JSON_C_TO_STRING_PLAIN |
				     JSON_C_TO_STRING_NOSLASHESCAPE));
	if ((fd = _open_for(file, end - text, &size)) < 0) {
		why = errno;
	} else {
		why = _append_text(fd, size, text, end - text);
		(void) close(fd);	/* nothing of it has to be written any more */
	}
	if (!why) {
		events.written += n;
		events.writes++;
	}
	xfree(text);
	return why;
}

static bool _is_full(int why)
{
	return (why == ENOSPC) || (why == EDQUOT);
}

/* A disk without room for all may have room for the first ones: they are tried one by one. What
 * may be there is not written again. */
static void _write(const struct settings *file, struct event **list, int n)
{
	int at_once = n, why;

	while (n && file->path) {
		why = _append(file, list, at_once);
		if (!why) {
			list += at_once;
			n -= at_once;
		} else if (_is_full(why) && (at_once > 1)) {
			at_once = 1;
		} else {
			complaint_add(&lost, n, "can't write %s: %s", file->path, strerror(why));
			break;
		}
	}
}

/* ---- names ---- */

/* who: NULL, or a job with its user's id */
static void _add_name(struct json_object *who)
{
	char *name = who ? uid_to_string_or_null(json_number(who, "uid")) : NULL;

	if (name)
		json_object_object_add(who, "user", json_short_text(name));
	xfree(name);
}

/* ---- the thread ---- */

static void _settings_free(struct settings *s)
{
	if (!s)
		return;
	xfree(s->path);
	xfree(s->notify.program);
	xfree(s->notify.mail_prog);
	xfree(s->notify.slurm_conf);
	xfree(s);
}

static const struct settings *_settings(void)
{
	struct settings *configured = atomic_exchange(&events.configured, NULL);

	if (configured) {
		_settings_free(events.settings);
		events.settings = configured;
	}
	return events.settings;
}

/* What came in another term of control is lost. */
static bool _is_ours(struct event *event)
{
	if (control_is_in(event->term))
		return true;
	complaint_add(&lost, 1, "control went before they were written");
	event_free(event);
	return false;
}

/* Those that wait, up to so many; the caller's. Names may take long: what has its
 * names is written before others are looked up for long. */
static int _take(struct event **list)
{
	int64_t until = clock_ns(CLOCK_MONOTONIC) + BATCH_NS;
	struct event *event;
	int n = 0, left = 0;

	while ((n < BATCH_MAX) && (!n || (clock_ns(CLOCK_MONOTONIC) < until)) &&
	       (event = list_pop(events.backlog))) {
		if (!_is_ours(event))
			continue;
		_add_name(event->body);
		_add_name(json_object_object_get(event->body, "by"));
		list[n++] = event;
	}
	/* control may have gone while names were looked up */
	for (int i = 0; i < n; i++) {
		if (_is_ours(list[i]))
			list[left++] = list[i];
	}
	return left;
}

/* Also those that came just before slurmctld ends. What comes while the disk is busy is
 * written at once after that. Programs begin in between: a disk may take long. True: some run */
static bool _tell_all(bool begin)
{
	const struct settings *settings = _settings();
	struct event *list[BATCH_MAX];
	bool run = notify_run(&settings->notify, begin);
	int n;

	while ((n = _take(list))) {
		_write(settings, list, n);
		for (int i = 0; i < n; i++) {
			/* has it happened to anybody? */
			if (json_object_object_get(list[i]->body, "observed"))
				event_free(list[i]);
			else
				notify_put(&settings->notify, list[i]);
		}
		run = notify_run(&settings->notify, begin);
	}
	complaint_tell(&lost);
	return run;
}

static int64_t _round(void)
{
	return _tell_all(true) ? NOTIFY_LOOK_NS : REST_NS;
}

/* Programs that run may end, but no other one begins. */
static void _away(void)
{
	(void) _tell_all(false);
}

static struct worker worker = WORKER(.name = "cohort_events", .round = _round, .away = _away);

extern void events_put(struct json_object *body)
{
	struct event *event;

	if (!ctld.conf->events.enable && !ctld.conf->notify.program) {
		json_object_put(body);
	} else if (list_count(events.backlog) >= EVENTS_MAX) {
		json_object_put(body);
		complaint_add(&lost, 1, "too many wait for the thread that writes them");
	} else {
		event = xmalloc(sizeof(*event));
		*event = (struct event) { control_term(), body };
		list_append(events.backlog, event);
	}
	worker_wake(&worker);
}

extern bool events_have_room(void)
{
	return list_count(events.backlog) < EVENTS_MAX / 2;
}

extern void events_start(void)
{
	const struct conf_events *conf = &ctld.conf->events;
	struct settings *s = xmalloc(sizeof(*s));

	if (!events.backlog)
		events.backlog = list_create(event_free);
	notify_start();
	if (conf->enable)
		s->path = conf->file ? xstrdup(conf->file) : file_state_path(DEFAULT_NAME);
	s->max_bytes = conf->max_megabytes * 1024 * 1024;
	s->keep = conf->keep;
	s->notify = (struct notify_settings) {
		.program = xstrdup(ctld.conf->notify.program),
		.mail_prog = xstrdup(slurm_conf.mail_prog),
		.slurm_conf = xstrdup(slurm_conf.slurm_conf),
		.owner = slurm_conf.slurm_user_id,
		.limit = ctld.conf->notify.time_limit / 1000,
		.at_once = ctld.conf->notify.at_once,
	};
	_settings_free(atomic_exchange(&events.configured, s));
	worker_start(&worker);
}

/* ---- for publication ---- */

extern void events_complain(void)
{
	complaint_tell(&lost);
	complaint_tell(&notify_failed);
}

extern struct json_object *events_json(void)
{
	struct json_object *o = json_object_new_object();

	json_add_number(o, "written", events.written);
	json_add_number(o, "writes", events.writes);
	json_add_number(o, "lost", lost.count);
	json_add_number(json_member(o, "notify"), "ran", notify_ran);
	json_add_number(json_member(o, "notify"), "failed", notify_failed.count);
	return o;
}
