/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * install.c - a file is replaced as a whole, and the old one kept
 */
#define _GNU_SOURCE	/* asprintf, mkostemp */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply/apply.h"

static int all_write(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		text += n;
		len -= (size_t) n;
	}
	return fsync(fd);
}

/* like: the mode and owner that it gets */
static int file_fill(int fd, const struct stat *like, const char *text,
		     size_t len)
{
	if (fchmod(fd, like->st_mode & 07777)
	    || (fchown(fd, like->st_uid, like->st_gid) && geteuid() == 0))
		return -1;
	return all_write(fd, text, len);
}

/* Writes the text beside path and renames it. -1 with errno */
static int file_replace(const char *path, const struct stat *like,
			const char *text, size_t len)
{
	char *beside;
	int fd, rc, saved;

	if (asprintf(&beside, "%s.XXXXXX", path) < 0)
		return -1;
	fd = mkostemp(beside, O_CLOEXEC);
	rc = fd < 0 ? -1 : file_fill(fd, like, text, len);
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

int install_text(const char *path, const struct kept *kept, const char *text,
		 size_t len, char *err, size_t size)
{
	/* a link stays one, and what it names is replaced */
	char *target = realpath(path, NULL);
	const char *failed = NULL;
	struct stat st;

	if (!target || stat(target, &st))
		failed = path;
	else if (kept && file_replace(kept->path, &st, kept->text, kept->len))
		failed = kept->path;
	else if (file_replace(target, &st, text, len))
		failed = path;
	if (failed)
		snprintf(err, size, "%s: %s", failed, strerror(errno));
	free(target);
	return failed ? -1 : 0;
}
