/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - cohort.yaml is replaced as a whole, by one scohort at a time
 *
 * The lock is on a file of its own, cohort.yaml.lock, as each change puts another
 * cohort.yaml in the place of the one before. It holds on a shared file system, too.
 */
#define _GNU_SOURCE	/* mkostemp, F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply/apply.h"
#include "must.h"
#include "yaml/file.h"

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

bool file_lock(void)
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

static int all_write(int fd, const struct text *text)
{
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(fd, text->of + done, text->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		done += (size_t) n;
	}
	return fsync(fd);
}

/* like: the mode and owner that it gets */
static int file_fill(int fd, const struct stat *like, const struct text *text)
{
	if (fchmod(fd, like->st_mode & 07777)
	    || (fchown(fd, like->st_uid, like->st_gid) && geteuid() == 0))
		return -1;
	return all_write(fd, text);
}

/* Writes the text beside path and renames it. -1 with errno */
static int file_replace(const char *path, const struct stat *like, const struct text *text)
{
	char *beside = must_format("%s.XXXXXX", path);
	int fd = mkostemp(beside, O_CLOEXEC), saved;
	int rc = fd < 0 ? -1 : file_fill(fd, like, text);

	if (fd >= 0 && close(fd))
		rc = -1;
	if (!rc)
		rc = rename(beside, path);
	saved = errno;
	if (rc && fd >= 0)
		unlink(beside);
	free(beside);
	errno = saved;
	return rc;
}

int file_install(const char *path, const struct text *text, const char *keep,
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
