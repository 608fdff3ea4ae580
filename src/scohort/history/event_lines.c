/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_lines.c - new lines of the file of events, and of its older ones
 *
 * A file is known by device and inode, and by the bytes before the place, as an
 * inode is used again. slurmctld may rename the files at any moment: all are opened
 * before the first is read.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/event_lines.h"
#include "output/output.h"

#define OLDER_MAX 1000		/* as cohort.yaml allows */
#define MISSING_MAX 8		/* a crash leaves out a number */
#define BUFFER_SIZE (256 * 1024)	/* a line has some kB at most */
#define MARK_BYTES 4096		/* a line or more: its end may be that of others */

struct event_files {
	const char *path;
	struct event_place *place;
	int64_t budget;
	event_line_f f;
	void *arg;
	char *buf;
	bool in_line;		/* the place is within a line that has no end */
};

/* A file that is open */
struct file {
	int fd;
	struct stat st;
};

/* ---- one file ---- */

static int fail(const char *path, const char *why)
{
	stderr_line("scohort: %s: %s", path, why);
	return -1;
}

/* Nothing that makes a reader wait. 1: it is open; 0: there is none; -1 after a message */
static int file_open(struct file *file, const char *name)
{
	file->fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file->fd < 0)
		return errno == ENOENT ? 0
		       : fail(name, errno == ELOOP ? "is not a regular file" : strerror(errno));
	if (!fstat(file->fd, &file->st) && S_ISREG(file->st.st_mode))
		return 1;
	close(file->fd);
	return fail(name, "is not a regular file");
}

/* FNV-1a of the last bytes before the offset */
static int64_t mark_of(int fd, int64_t offset)
{
	unsigned char bytes[MARK_BYTES];
	int64_t from = offset > MARK_BYTES ? offset - MARK_BYTES : 0;
	ssize_t n = pread(fd, bytes, (size_t) (offset - from), from);
	uint64_t mark = 0xcbf29ce484222325;

	for (ssize_t i = 0; i < n; i++)
		mark = (mark ^ bytes[i]) * 0x100000001b3;
	return (int64_t) (mark >> 1);
}

static bool has_place(const struct event_place *p, const struct file *file)
{
	return p->inode == (int64_t) file->st.st_ino
	       && p->device == (int64_t) file->st.st_dev
	       && p->offset <= (int64_t) file->st.st_size
	       && p->mark == mark_of(file->fd, p->offset);
}

/* ---- lines ---- */

/* Those that end in the first `len` bytes of the buffer; all bytes are read. */
static bool lines_take(struct event_files *e, size_t len)
{
	const char *line = e->buf, *end = e->buf + len;

	while (line < end) {
		const char *nl = memchr(line, '\n', (size_t) (end - line));

		if (!nl)
			break;
		if (!e->in_line
		    && !e->f(e->arg, line, (size_t) (nl - line),
			     e->place->offset + (line - e->buf)))
			return false;
		e->in_line = false;
		line = nl + 1;
	}
	e->place->offset += (int64_t) len;
	e->budget -= (int64_t) len;
	return true;
}

/* Up to the last newline: what follows is not complete yet. A buffer without any is
 * no event, nor is the rest of that line. 1: it is read; 0: the budget is used up, the rest is
 * for the next time; -1 after a message */
static int file_read(struct event_files *e, const struct file *file)
{
	if (!has_place(e->place, file))
		*e->place = (struct event_place) { .device = (int64_t) file->st.st_dev,
						   .inode = (int64_t) file->st.st_ino };
	e->in_line = false;
	while (e->budget > 0) {
		ssize_t n = pread(file->fd, e->buf, BUFFER_SIZE, e->place->offset);
		const char *last = n > 0 ? memrchr(e->buf, '\n', (size_t) n)
					 : NULL;

		if (n < 0)
			return fail(e->path, strerror(errno));
		if (!last && n < BUFFER_SIZE)
			break;
		if (!lines_take(e, last ? (size_t) (last + 1 - e->buf) : (size_t) n))
			return -1;
		e->in_line = !last;
	}
	e->place->mark = mark_of(file->fd, e->place->offset);
	return e->budget > 0;
}

/* ---- which files ---- */

/* From the newest to that with the place, or to the oldest; *n: how many. One that is renamed
 * meanwhile is opened twice, and then has the place, but none is missed. 1, or -1 after a
 * message */
static int files_open(const struct event_files *e, struct file *files, int *n)
{
	char name[PATH_MAX];
	int missing = 0, rc;

	for (int i = 0; i <= OLDER_MAX && missing < MISSING_MAX; i++) {
		snprintf(name, sizeof(name), i ? "%s.%d" : "%s", e->path, i);
		if ((rc = file_open(&files[*n], name)) < 0)
			return -1;
		missing = rc ? 0 : missing + 1;
		*n += rc;
		if (rc && has_place(e->place, &files[*n - 1]))
			break;
	}
	return 1;
}

int event_lines_read(const char *path, struct event_place *place,
		     int64_t budget, event_line_f f, void *arg)
{
	struct event_files e = {
		.path = path, .place = place, .budget = budget, .f = f,
		.arg = arg, .buf = malloc(BUFFER_SIZE),
	};
	struct file *files = calloc(OLDER_MAX + 1, sizeof(*files));
	int n = 0, rc;

	rc = !files || !e.buf ? fail(path, "out of memory") : files_open(&e, files, &n);
	for (int i = n - 1; i >= 0; i--) {
		if (rc > 0)
			rc = file_read(&e, &files[i]);
		close(files[i].fd);
	}
	free(files);
	free(e.buf);
	return rc < 0 ? -1 : 0;
}
