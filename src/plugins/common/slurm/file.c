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
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurm/worker.h"

#include "lib/hash.h"

#define BESIDE ".new."
/* No process writes for that long, in seconds. */
#define LEFT_AFTER 3600

/* Files left by a slurmctld that was killed while it wrote */
static void _sweep(const char *path)
{
	char *pattern = xstrdup_printf("%s" BESIDE "??????", path);
	struct stat st;
	glob_t found;

	if (!glob(pattern, GLOB_NOSORT, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			if (!lstat(found.gl_pathv[i], &st) && S_ISREG(st.st_mode) &&
			    (st.st_mtime + LEFT_AFTER < time(NULL)))
				(void) unlink(found.gl_pathv[i]);
		}
		globfree(&found);
	}
	xfree(pattern);
}

/* Whatever slurmctld's umask is, the mode is as said. 0, or an error number */
static int _write_new(char *path, const char *text, mode_t mode)
{
	int fd = mkostemp(path, O_CLOEXEC), why = 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		return errno;
	if (fchmod(fd, mode) || (fputs(text, file) < 0) || fflush(file) || fsync(fd))
		why = errno;
	if (fclose(file) && !why)
		why = errno;
	return why;
}

static int _replace(const char *path, const char *text, mode_t mode, uint32_t term)
{
	char *beside = xstrdup_printf("%s" BESIDE "XXXXXX", path);
	int why = _write_new(beside, text, mode);

	if (!why && !control_is_in(term))
		why = ECANCELED;
	if (!why && rename(beside, path))
		why = errno;
	if (why)
		(void) unlink(beside);
	xfree(beside);
	return why;
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

static int _put(struct written_file *file, const char *path, const char *text, mode_t mode,
		uint32_t term)
{
	int why;

	if (file->term != term)
		_sweep(path);
	file->term = term;
	why = _replace(path, text, mode, term);
	if (why != ECANCELED)
		_tell(file, path, why);
	return why;
}

extern int file_put(struct written_file *file, const char *path, const char *text,
		    const char *news, mode_t mode, uint32_t term)
{
	uint64_t hash = hash_bytes(HASH_INIT, news, strlen(news));
	int rc;

	if (file->written && !xstrcmp(file->written, path) && (file->written_in == term) &&
	    (file->news == hash) && !access(path, F_OK))
		return 0;
	xfree(file->written);
	rc = _put(file, path, text, mode, term);
	if (rc)
		return rc;
	file->written = xstrdup(path);
	file->written_in = term;
	file->news = hash;
	return 0;
}

extern char *file_state_path(const char *name)
{
	return xstrdup_printf("%s/%s", slurm_conf.state_save_location, name);
}
