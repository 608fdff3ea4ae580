/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  file.c - files that are written again and again
 *
 *  Each is written beside the old one and renamed. The new file's name is
 *  unique: two slurmctlds, one of which has just lost control, share the
 *  folder. A file that is late because the file system hung is not renamed any
 *  more when the term of control in which it was made is over.
\*****************************************************************************/
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurm/file.h"

#include "state/state.h"
#include "slurm/control.h"

#define BESIDE ".new."
#define RANDOM "XXXXXX"
/* No process writes for that long, in seconds. */
#define LEFT_AFTER 3600

/* ---- files left by a slurmctld that was killed while it wrote ---- */

static void _sweep_one(int dir, const char *name, const char *prefix, time_t now)
{
	struct stat st;

	if (xstrncmp(name, prefix, strlen(prefix)) ||
	    (strlen(name) != strlen(prefix) + strlen(RANDOM)))
		return;
	if (!fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode) && (st.st_mtime + LEFT_AFTER < now))
		(void) unlinkat(dir, name, 0);
}

static void _sweep(const char *path)
{
	char *folder = xstrdup(path), *slash = strrchr(folder, '/');
	char *prefix = NULL;
	struct dirent *entry;
	DIR *dir = NULL;

	if (slash) {
		slash[0] = '\0';
		xstrfmtcat(prefix, "%s" BESIDE, slash + 1);
		dir = opendir(folder);
	}
	while (dir && (entry = readdir(dir)))
		_sweep_one(dirfd(dir), entry->d_name, prefix, time(NULL));
	if (dir)
		(void) closedir(dir);
	xfree(prefix);
	xfree(folder);
}

/* ---- writing ---- */

static int _write(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t n = write(fd, text, left);

		if (n >= 0) {
			text += n;
			left -= n;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return fsync(fd);
}

/* Whatever slurmctld's umask is, the mode is as said. */
static int _write_new(char *path, const char *text, mode_t mode)
{
	int fd = mkostemp(path, O_CLOEXEC), rc, saved;

	if (fd < 0)
		return -1;
	rc = fchmod(fd, mode) || _write(fd, text);
	saved = errno;
	if (close(fd) && !rc) {
		rc = -1;
		saved = errno;
	}
	errno = saved;
	return rc ? -1 : 0;
}

static int _replace(const char *path, const char *text, mode_t mode, uint32_t term)
{
	char *beside = NULL;
	int rc, saved;

	xstrfmtcat(beside, "%s" BESIDE RANDOM, path);
	rc = _write_new(beside, text, mode);
	if (!rc && !control_is_in(term)) {
		errno = ECANCELED;
		rc = -1;
	}
	if (!rc)
		rc = rename(beside, path);
	saved = errno;
	if (rc)
		(void) unlink(beside);
	xfree(beside);
	errno = saved;
	return rc;
}

/* ---- messages about it ---- */

static void _tell(struct written_file *file, const char *path, int failure)
{
	bool again = file->failed && !xstrcmp(file->failed, path);

	if (failure && again && (file->error == failure))
		return;
	xfree(file->failed);
	if (failure) {
		errno = failure;
		error(PREFIX "can't write %s%s: %m%s", path, file->name, file->loss);
		file->failed = xstrdup(path);
		file->error = failure;
	} else if (again) {
		info(PREFIX "%s is written again", path);
	}
}

extern int file_put(struct written_file *file, const char *path,
		     const char *text, mode_t mode, uint32_t term)
{
	int rc, saved;

	if (file->term != term)
		_sweep(path);
	file->term = term;
	rc = _replace(path, text, mode, term);
	saved = errno;
	if (!rc || (saved != ECANCELED))
		_tell(file, path, rc ? saved : 0);
	errno = saved;
	return rc;
}

extern char *file_state_path(const char *name)
{
	char *path = NULL;

	xstrfmtcat(path, "%s/%s", slurm_conf.state_save_location, name);
	return path;
}
