/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock.c - one scohort at a time changes cohort.yaml
 *
 * The lock is on a file of its own, cohort.yaml.lock, as each change puts another
 * cohort.yaml in the place of the one before. It holds on a shared file system, too.
 */
#define _GNU_SOURCE	/* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apply/apply.h"
#include "output/exit_status.h"
#include "slurm/conf_path.h"
#include "yaml/file.h"

/* 0, or -1 with errno */
static int lock_wait(int fd, const char *command)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int rc = fcntl(fd, F_OFD_SETLK, &whole);

	if (rc && (errno == EAGAIN || errno == EACCES)) {
		stderr_line("%s: waits for another scohort that changes cohort.yaml", command);
		while ((rc = fcntl(fd, F_OFD_SETLKW, &whole)) && errno == EINTR)
			;
	}
	return rc;
}

bool apply_begin(const char *command)
{
	char path[CONF_PATH_MAX];
	int fd;

	conf_path("cohort.yaml.lock", path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	/* the lock ends with the process */
	if (fd >= 0 && !lock_wait(fd, command))
		return true;
	stderr_line("%s: %s: %s; nothing was changed", command, path, strerror(errno));
	return false;
}

bool file_holds(const char *path, const char *text, size_t len)
{
	size_t n;
	char *there = file_read(path, &n);
	bool same = there && n == len && !memcmp(there, text, len);

	free(there);
	return same;
}
