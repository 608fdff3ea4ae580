/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_lines.c - new lines of the file of events, and of its older ones
 *
 * A file is known by device and inode, and by the bytes before the place, as an
 * inode is used again. slurmctld may rename the files at any moment: each is looked
 * up by its number, and opened only if it still is the one that was found.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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

/* A file that was found */
struct found {
	int number;
	int64_t device, inode;
};

/* ---- one file ---- */

static char *name_of(const struct event_files *e, int number)
{
	char *name = NULL;
	int n = number ? asprintf(&name, "%s.%d", e->path, number)
		       : asprintf(&name, "%s", e->path);

	return n < 0 ? NULL : name;
}

static int fail(const char *path, const char *why)
{
	stderr_line("scohort: %s: %s", path, why);
	return -1;
}

/* Nothing that makes a reader wait. -1 with errno */
static int file_open(const char *name, struct stat *st)
{
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!fstat(fd, st) && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
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

static bool has_place(const struct event_place *p, int fd,
		      const struct stat *st)
{
	return p->inode == (int64_t) st->st_ino
	       && p->device == (int64_t) st->st_dev
	       && p->offset <= (int64_t) st->st_size
	       && p->mark == mark_of(fd, p->offset);
}

/* ---- lines ---- */

/* Those that end in the first `len` bytes of the buffer; all bytes are read. */
static bool lines_take(struct event_files *e, const char *name, size_t len)
{
	const char *line = e->buf, *end = e->buf + len;

	while (line < end) {
		const char *nl = memchr(line, '\n', (size_t) (end - line));

		if (!nl)
			break;
		if (!e->in_line
		    && !e->f(e->arg, line, (size_t) (nl - line), name,
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
 * no event, nor is the rest of that line. */
static int file_read(struct event_files *e, const char *name, int fd)
{
	while (e->budget > 0) {
		ssize_t n = pread(fd, e->buf, BUFFER_SIZE, e->place->offset);
		const char *last = n > 0 ? memrchr(e->buf, '\n', (size_t) n)
					 : NULL;

		if (n < 0)
			return fail(name, strerror(errno));
		if (!last && n < BUFFER_SIZE)
			break;
		if (!lines_take(e, name, last ? (size_t) (last + 1 - e->buf)
					      : (size_t) n))
			return -1;
		e->in_line = !last;
	}
	e->place->mark = mark_of(fd, e->place->offset);
	return 0;
}

/* 0: the file is not the one that was found, or the budget is used up: the rest is for
 * the next time; 1: it is read; -1 after a message */
static int found_read(struct event_files *e, const struct found *found)
{
	char *name = name_of(e, found->number);
	struct stat st;
	int fd = name ? file_open(name, &st) : -1, rc = 0;

	if (fd >= 0 && found->inode == (int64_t) st.st_ino
	    && found->device == (int64_t) st.st_dev) {
		if (!has_place(e->place, fd, &st))
			*e->place = (struct event_place) {
				.device = found->device, .inode = found->inode,
			};
		e->in_line = false;
		rc = file_read(e, name, fd);
		if (!rc)
			rc = e->budget > 0;
	} else if (!name || (fd < 0 && errno != ENOENT)) {
		rc = fail(e->path, name ? strerror(errno) : "out of memory");
	}
	if (fd >= 0)
		close(fd);
	free(name);
	return rc;
}

/* ---- which files ---- */

/* 1: it is there, 2: it is where the place is, 0: there is none; -1 after a message */
static int file_find(const struct event_files *e, struct found *found,
		     int number)
{
	char *name = name_of(e, number);
	struct stat st;
	int fd = name ? file_open(name, &st) : -1, rc = 0;

	if (fd >= 0) {
		*found = (struct found) { number, (int64_t) st.st_dev,
					  (int64_t) st.st_ino };
		rc = has_place(e->place, fd, &st) ? 2 : 1;
		close(fd);
	} else if (!name || errno != ENOENT) {
		rc = fail(name ? name : e->path,
			  !name ? "out of memory"
			  : errno == EINVAL || errno == ELOOP
			  ? "is not a regular file" : strerror(errno));
	}
	free(name);
	return rc;
}

/* From the newest to that with the place, or to the oldest: a file that is renamed
 * meanwhile is seen twice, but none is missed. The number of files; -1 after a message */
static int files_find(const struct event_files *e, struct found *found)
{
	int n = 0, missing = 0, rc = 0;

	for (int i = 0; i <= OLDER_MAX && missing < MISSING_MAX && rc < 2;
	     i++) {
		if ((rc = file_find(e, &found[n], i)) < 0)
			return -1;
		n += rc > 0;
		missing = rc ? 0 : missing + 1;
	}
	return n;
}

int event_lines_read(const char *path, struct event_place *place,
		     int64_t budget, event_line_f f, void *arg)
{
	struct event_files e = {
		.path = path, .place = place, .budget = budget, .f = f,
		.arg = arg,
	};
	struct found *found = calloc(OLDER_MAX + 1, sizeof(*found));
	int n = -1, rc = 1;

	e.buf = malloc(BUFFER_SIZE);
	if (!found || !e.buf)
		fail(path, "out of memory");
	else
		n = files_find(&e, found);
	for (int i = n - 1; i >= 0 && rc > 0; i--)
		rc = found_read(&e, &found[i]);
	free(found);
	free(e.buf);
	return n < 0 || rc < 0 ? -1 : 0;
}
