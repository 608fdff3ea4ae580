/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - a whole file as one text
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "yaml/document.h"
#include "yaml/file.h"

/* Reads all of f, up to one byte more than a document may have; NULL with
 * errno. It does not rely on the file's size: f may be a pipe. */
static char *stream_read(FILE *f, size_t *len)
{
	size_t room = 0, n = 0, got;
	char *text = NULL, *grown;

	do {
		if (n == room) {
			room = room ? 2 * room : 65536;
			grown = realloc(text, room);
			if (!grown)
				break;
			text = grown;
		}
		got = fread(text + n, 1, room - n, f);
		n += got;
	} while (got && n <= DOCUMENT_BYTES_MAX);
	*len = n;
	if (!ferror(f) && (n < room || n > DOCUMENT_BYTES_MAX))
		return text;
	free(text);
	return NULL;
}

char *file_read(const char *path, size_t *len)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *text;
	int saved;

	if (!f)
		return NULL;
	text = stream_read(f, len);
	saved = errno;
	if (f != stdin)
		fclose(f);
	errno = saved;
	return text;
}

/* ---- files that only trusted users may write ---- */

static int errprintf(char *err, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int errprintf(char *err, size_t size, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(err, size, format, ap);
	va_end(ap);
	return -1;
}

static int stat_trusted(const struct stat *st, uid_t owner, char *err,
			size_t size)
{
	unsigned mode = st->st_mode & 07777;

	if (!S_ISREG(st->st_mode))
		return errprintf(err, size, "is not a regular file");
	if (mode & S_IWOTH)
		return errprintf(err, size, "is not trusted: any user can write it (mode %04o): chmod o-w", mode);
	if (mode & S_IWGRP)
		return errprintf(err, size, "is not trusted: its group can write it (mode %04o): chmod g-w", mode);
	if (st->st_uid && owner != (uid_t) -1 && st->st_uid != owner)
		return errprintf(err, size, "is not trusted: it belongs to user %u, who is neither root nor SlurmUser: chown root",
				 (unsigned) st->st_uid);
	return 0;
}

int file_check_trusted(const char *path, uid_t owner, char *err, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errprintf(err, size, "cannot be read: %s",
				 strerror(errno));
	return stat_trusted(&st, owner, err, size);
}

/* A folder with the sticky bit, as /tmp, would let others make a file there, but
 * not replace this one. */
static int folder_check(const char *path, uid_t owner, char *err, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errprintf(err, size, "is in %s, which cannot be read: %s",
				 path, strerror(errno));
	if ((st.st_mode & (S_IWOTH | S_IWGRP)) && !(st.st_mode & S_ISVTX))
		return errprintf(err, size, "is not trusted: other users can "
				 "write to %s: chmod go-w", path);
	if (st.st_uid && st.st_uid != owner)
		return errprintf(err, size, "is not trusted: %s belongs to "
				 "user %u, who is neither root nor SlurmUser",
				 path, (unsigned) st.st_uid);
	return 0;
}

/* Where the sticky bit keeps others from replacing a link, they may still own it. */
static int link_check(const char *path, uid_t owner, char *err, size_t size)
{
	struct stat st;

	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && st.st_uid
	    && st.st_uid != owner)
		return errprintf(err, size, "is not trusted: the link %s belongs "
				 "to user %u, who is neither root nor SlurmUser",
				 path, (unsigned) st.st_uid);
	return 0;
}

/* All folders on the way to `path`, an absolute path, and the links in it */
static int way_check(const char *path, uid_t owner, char *err, size_t size)
{
	char *way = strdup(path), *slash;
	int rc = way ? link_check(way, owner, err, size)
		 : errprintf(err, size, "cannot be read: %s", strerror(errno));

	while (rc == 0 && (slash = strrchr(way, '/'))) {
		*slash = '\0';
		rc = folder_check(*way ? way : "/", owner, err, size);
		if (rc == 0)
			rc = link_check(way, owner, err, size);
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

static char *fd_read_trusted(int fd, uid_t owner, size_t *len, char *err,
			     size_t size)
{
	char *text = NULL;
	struct stat st;
	FILE *f;

	errprintf(err, size, "cannot be read");
	if (fstat(fd, &st) < 0 || stat_trusted(&st, owner, err, size) < 0) {
		close(fd);
		return NULL;
	}
	f = fdopen(fd, "r");
	if (f)
		text = stream_read(f, len);
	if (!text)
		errprintf(err, size, "cannot be read: %s", strerror(errno));
	if (f)
		fclose(f);
	else
		close(fd);
	return text;
}

char *file_read_trusted(const char *path, uid_t owner, size_t *len, char *err,
			size_t size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0) {
		errprintf(err, size, "cannot be read: %s", strerror(errno));
		return NULL;
	}
	return fd_read_trusted(fd, owner, len, err, size);
}
