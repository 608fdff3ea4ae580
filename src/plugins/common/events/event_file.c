/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  event_file.c - a file of lines that grows up to a size, and older ones
 *
 *  The file is opened anew for each write: others may have moved it away
 *  (logrotate), and after a takeover another slurmctld writes it. What is
 *  written is complete when event_file_append() returns, or it is not there: a
 *  disk that gets full leaves no part of a line. Only a disk that fails twice may
 *  leave lines that are not known to be there.
\*****************************************************************************/
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "events/event_file.h"

#include "compat/slurm_compat.h"

#define FILE_MODE 0600
#define TAIL_BYTES 4096

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
static bool _is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && (st->st_uid == geteuid()) &&
		(st->st_nlink == 1);
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
		if (!_is_ours(&st))
			errno = EPERM;
		else if (((st.st_mode & 07777) == FILE_MODE) ||
			 !fchmod(fd, FILE_MODE))
			*size = _size_of_lines(fd, st.st_size);
	}
	if (!errno && ((*size == st.st_size) || !ftruncate(fd, *size)))
		return fd;
	saved = errno;
	(void) close(fd);
	errno = saved;
	return -1;
}

static enum event_file_result _append(int fd, off_t size, const char *lines,
				      size_t len)
{
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
	if (ftruncate(fd, size)) {
		errno = why;
		return EVENT_FILE_UNKNOWN;
	}
	errno = why;
	return (why == ENOSPC) || (why == EDQUOT) ? EVENT_FILE_FULL :
		EVENT_FILE_NONE;
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

extern enum event_file_result event_file_append(const struct event_file *file,
						const char *lines, size_t len)
{
	enum event_file_result result;
	off_t size = 0;
	int fd, saved;

	if ((fd = _open(file->path, &size)) < 0)
		return EVENT_FILE_NONE;
	if (size && (size + (int64_t) len > file->max_bytes)) {
		(void) close(fd);
		size = 0;
		if (_rotate(file) || ((fd = _open(file->path, &size)) < 0))
			return EVENT_FILE_NONE;
	}
	result = _append(fd, size, lines, len);
	saved = errno;
	(void) close(fd);	/* nothing of it has to be written any more */
	errno = saved;
	return result;
}
