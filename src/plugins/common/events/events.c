/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  events.c - what has happened, told to a file, by a thread without locks
 *
 *  events.file, by default cohort_events.jsonl in StateSaveLocation: one line
 *  of JSON for each eviction, when the run of the job has ended. cohort.yaml(5)
 *  has its form. The file names users, so only SlurmUser can read it.
 *
 *  The thread also looks up the names of users, which may ask a server. If it
 *  hangs, or the disk is full, events are lost, and counted; nothing waits for
 *  it. The same thread runs the programs of notify.
 *
 *  The file is opened anew for each write: others may have moved it away
 *  (logrotate), and after a takeover another slurmctld writes it. What is
 *  written is complete when _file_append() returns, or it is not there: a disk
 *  that gets full leaves no part of a line. Only a disk that fails twice may
 *  leave lines that are not known to be there.
\*****************************************************************************/
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/events.h"

#include "state/json.h"
#include "state/state.h"
#include "slurm/clock.h"
#include "slurm/control.h"
#include "slurm/file.h"
#include "slurm/worker.h"
#include "events/complaint.h"
#include "events/notify.h"

#include "src/common/uid.h"

#define FILE_MODE 0600
#define TAIL_BYTES 4096
#define DEFAULT_NAME "cohort_events.jsonl"
#define BATCH_MAX 256		/* written at once, of some 2 kB at most */
#define BATCH_NS (SPEC_SEC / 10)	/* no other name is looked up for it then */
#define REST_NS (60 * SPEC_SEC)
#define NOTIFY_LOOK_NS (SPEC_SEC / 10)	/* while programs run */

struct event_file {
	char *path;
	int64_t max_bytes;	/* it grows no larger */
	int64_t keep;		/* so many older ones: PATH.1 is the newest */
};

enum event_file_result {
	EVENT_FILE_DONE,	/* they are on the disk */
	EVENT_FILE_FULL,	/* none of them is in the file: the disk is full; errno */
	EVENT_FILE_FAILED,	/* they may be there, or some; errno is set */
};

/* Passes append to the backlog, under the job lock; the thread takes events out
 * without it. */
static struct {
	compat_list_t backlog;		/* of struct event, the oldest first */
	pthread_mutex_t lock;
	struct event_file file;		/* no path: none is written */
	int64_t written, writes;	/* events; how often some were written */
} events = { .lock = PTHREAD_MUTEX_INITIALIZER };

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

static enum event_file_result _lines_append(int fd, off_t size, const char *lines, size_t len)
{
	bool cut;
	int why;

	while (len) {
		ssize_t n = write(fd, lines, len);

		if (n >= 0) {
			lines += n;
			len -= n;
		} else if (errno != EINTR) {
			break;
		}
	}
	if (!len && !fdatasync(fd))
		return EVENT_FILE_DONE;
	why = errno;
	/* if not, the next one cuts off a part of a line */
	cut = !ftruncate(fd, size);
	errno = why;
	return cut && ((why == ENOSPC) || (why == EDQUOT)) ? EVENT_FILE_FULL :
		EVENT_FILE_FAILED;
}

/* ---- older ones ---- */

/* PATH becomes PATH.1, and so on; what was PATH.keep goes. A crash may leave
 * out a number, which does no harm. -1 with errno */
static int _rotate(const struct event_file *file)
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

/* Append these bytes, which are complete lines: all of them or none, unless the
 * disk fails and what was written can't be cut off. Where they would make the
 * file too large they begin a new one. Only the user that writes it can read it.
 * A part of a line that a crash has left is cut off first. It may take as long as
 * the file system takes. */
static enum event_file_result _file_append(const struct event_file *file, const char *lines,
					   size_t len)
{
	enum event_file_result result;
	off_t size = 0;
	int fd, saved;

	if ((fd = _open(file->path, &size)) < 0)
		return EVENT_FILE_FAILED;
	if (size && (size + (int64_t) len > file->max_bytes)) {
		(void) close(fd);
		size = 0;
		if (_rotate(file) || ((fd = _open(file->path, &size)) < 0))
			return EVENT_FILE_FAILED;
	}
	result = _lines_append(fd, size, lines, len);
	saved = errno;
	(void) close(fd);	/* nothing of it has to be written any more */
	errno = saved;
	return result;
}

/* ---- one event ---- */

/* who: NULL, or a job with its user's id */
static void _add_name(struct json_object *who)
{
	char *name = who ? uid_to_string_or_null(json_number(who, "uid")) : NULL;

	if (name)
		json_object_object_add(who, "user", json_short_text(name));
	xfree(name);
}

/* With one fdatasync() */
static enum event_file_result _append(const struct event_file *file, struct event **list, int n)
{
	char *lines = NULL, *end = NULL;
	enum event_file_result result;
	int why;

	for (int i = 0; i < n; i++)
		xstrfmtcatat(lines, &end, "%s\n", json_object_to_json_string_ext(
				     list[i]->body, JSON_C_TO_STRING_PLAIN |
				     JSON_C_TO_STRING_NOSLASHESCAPE));
	result = _file_append(file, lines, end - lines);
	why = errno;
	if (result == EVENT_FILE_DONE) {
		slurm_mutex_lock(&events.lock);
		events.written += n;
		events.writes++;
		slurm_mutex_unlock(&events.lock);
	}
	xfree(lines);
	errno = why;
	return result;
}

/* A disk without room for all may have room for the first ones: half as many are
 * tried, and so on. What may be there is not written again. */
static void _write(const struct event_file *file, struct event **list, int n)
{
	int at_once = n;

	while (n && file->path) {
		enum event_file_result result;

		at_once = MIN(at_once, n);
		result = _append(file, list, at_once);
		if (result == EVENT_FILE_DONE) {
			list += at_once;
			n -= at_once;
		} else if ((result == EVENT_FILE_FULL) && (at_once > 1)) {
			at_once /= 2;
		} else {
			complaint_add(&lost, n, "can't write %s: %s", file->path,
				      strerror(errno));
			break;
		}
	}
}

/* ---- the thread ---- */

static struct event_file _file(void)
{
	struct event_file file;

	slurm_mutex_lock(&events.lock);
	file = events.file;
	file.path = xstrdup(file.path);
	slurm_mutex_unlock(&events.lock);
	return file;
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

/* Also those that came just before slurmctld ends. What comes while the disk is busy
 * is written at once after that. Programs begin in between: a disk may take long. True:
 * some run */
static bool _tell_all(bool begin)
{
	struct event_file file = _file();
	struct event *list[BATCH_MAX];
	bool run = notify_run(begin);
	int n;

	while ((n = _take(list))) {
		_write(&file, list, n);
		for (int i = 0; i < n; i++)
			notify_put(list[i]);
		run = notify_run(begin);
	}
	xfree(file.path);
	complaint_tell(&lost);
	return run;
}

static struct timespec _round(void)
{
	int64_t next = clock_ns(CLOCK_REALTIME) + REST_NS;

	if (_tell_all(true))
		next += NOTIFY_LOOK_NS - REST_NS;
	return (struct timespec) { .tv_sec = next / SPEC_SEC,
				   .tv_nsec = next % SPEC_SEC };
}

/* Programs that run may end, but no other one begins. */
static void _away(void)
{
	(void) _tell_all(false);
}

static struct worker worker = WORKER("cohort_events", _round, NULL, _away);

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

extern void events_start(void)
{
	const struct conf_events *conf = &ctld.conf->events;

	if (!events.backlog)
		events.backlog = list_create(event_free);
	slurm_mutex_lock(&events.lock);
	xfree(events.file.path);
	if (conf->enable)
		events.file.path = conf->file ? xstrdup(conf->file) :
			file_state_path(DEFAULT_NAME);
	events.file.max_bytes = conf->max_megabytes * 1024 * 1024;
	events.file.keep = conf->keep;
	slurm_mutex_unlock(&events.lock);
	notify_configure();
	worker_start(&worker);
}

/* ---- for publication ---- */

extern void events_complain(void)
{
	complaint_tell(&lost);
	notify_complain();
}

extern struct json_object *events_json(void)
{
	struct json_object *o = json_object_new_object();

	slurm_mutex_lock(&events.lock);
	json_add_number(o, "written", events.written);
	json_add_number(o, "writes", events.writes);
	slurm_mutex_unlock(&events.lock);
	json_add_number(o, "lost", complaint_count(&lost));
	json_add(o, "notify", notify_json());
	return o;
}
