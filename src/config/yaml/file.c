/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - a whole file as one text, and files that only trusted users may write
 */
#define _GNU_SOURCE	/* TEMP_FAILURE_RETRY */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "yaml/document.h"
#include "yaml/file.h"

/* Reads all of fd, up to one byte more than a document may have, and closes it;
 * NULL with errno. It does not rely on the file's size: fd may be a pipe. */
static char *fd_read(int fd, size_t *len)
{
	const size_t room = DOCUMENT_BYTES_MAX + 1;	/* pages that are not read cost nothing */
	char *text = malloc(room);
	ssize_t got = text ? 1 : -1;
	int saved;

	for (*len = 0; got > 0 && *len < room; *len += got > 0 ? (size_t) got : 0)
		got = TEMP_FAILURE_RETRY(read(fd, text + *len, room - *len));
	saved = errno;
	if (fd != STDIN_FILENO)
		close(fd);
	if (got < 0) {
		free(text);
		text = NULL;
	}
	errno = saved;
	return text;
}

char *file_read(const char *path, size_t *len)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;

	return fd < 0 ? NULL : fd_read(fd, len);
}

static int stat_trusted(const struct stat *st, uid_t owner, char *err, size_t size)
{
	unsigned mode = st->st_mode & 07777;

	if (!S_ISREG(st->st_mode))
		return errprintf(err, size, "is not a regular file");
	if (mode & (S_IWOTH | S_IWGRP))
		return errprintf(err, size, "is not trusted: %s can write it (mode %04o): chmod %s",
				 mode & S_IWOTH ? "any user" : "its group", mode,
				 mode & S_IWOTH ? "o-w" : "g-w");
	if (st->st_uid && owner != (uid_t) -1 && st->st_uid != owner)
		return errprintf(err, size, "is not trusted: it belongs to user %u, who is neither "
				 "root nor SlurmUser: chown root", (unsigned) st->st_uid);
	return 0;
}

int file_check_trusted(const char *path, uid_t owner, char *err, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errprintf(err, size, "cannot be read: %s", strerror(errno));
	return stat_trusted(&st, owner, err, size);
}

/* One folder of the way to a file, or the link by which the way goes on. A folder
 * with the sticky bit, as /tmp, would let others make a file there, but not
 * replace this one; a link in it may still be theirs. */
static int step_check(const char *path, uid_t owner, bool folder, char *err, size_t size)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && st.st_uid && st.st_uid != owner)
		return errprintf(err, size, "is not trusted: the link %s belongs to user %u, who "
				 "is neither root nor SlurmUser", path, (unsigned) st.st_uid);
	if (!folder)
		return 0;
	if (stat(path, &st) < 0)
		return errprintf(err, size, "is in %s, which cannot be read: %s", path,
				 strerror(errno));
	if ((st.st_mode & (S_IWOTH | S_IWGRP)) && !(st.st_mode & S_ISVTX))
		return errprintf(err, size, "is not trusted: other users can write to %s: chmod "
				 "go-w", path);
	if (st.st_uid && st.st_uid != owner)
		return errprintf(err, size, "is not trusted: %s belongs to user %u, who is neither "
				 "root nor SlurmUser", path, (unsigned) st.st_uid);
	return 0;
}

/* All folders on the way to `path`, an absolute path, and the links in it */
static int way_check(const char *path, uid_t owner, char *err, size_t size)
{
	char *way = strdup(path), *slash;
	int rc = way ? step_check(way, owner, false, err, size)
		 : errprintf(err, size, "cannot be read: %s", strerror(errno));

	while (rc == 0 && (slash = strrchr(way, '/'))) {
		*slash = '\0';
		rc = step_check(*way ? way : "/", owner, true, err, size);
	}
	free(way);
	return rc;
}

char *file_find_program(const char *path, uid_t owner, char *err, size_t size)
{
	char *real = realpath(path, NULL);
	int rc;

	if (!real) {
		errprintf(err, size, "cannot be read: %s", strerror(errno));
		return NULL;
	}
	rc = file_check_trusted(real, owner, err, size);
	if (rc == 0 && access(real, X_OK) < 0)
		rc = errprintf(err, size, "is not executable: chmod +x");
	if (rc == 0)
		rc = way_check(real, owner, err, size);
	if (rc == 0)
		rc = way_check(path, owner, err, size);
	if (rc == 0)
		return real;
	free(real);
	return NULL;
}

int file_check_program(const char *path, uid_t owner, char *err, size_t size)
{
	char *real = file_find_program(path, owner, err, size);

	free(real);
	return real ? 0 : -1;
}

char *file_read_trusted(const char *path, uid_t owner, size_t *len, char *err, size_t size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	char *text = NULL;

	errprintf(err, size, "cannot be read: %s", strerror(errno));
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) < 0 || stat_trusted(&st, owner, err, size) < 0) {
		close(fd);
		return NULL;
	}
	text = fd_read(fd, len);
	if (!text)
		errprintf(err, size, "cannot be read: %s", strerror(errno));
	return text;
}
