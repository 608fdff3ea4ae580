// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * all-nodes - lets one slurmd end preempted jobs of all nodes; for LD_PRELOAD
 *
 * slurmd has one answer to the end of a job that it has no processes of: it is
 * over. But to a preempted job it says "received" first, and reports the end later
 * by its own name: a slurmd that stands for a thousand nodes would clear one.
 * Here the first answer is the one that it has for any other job.
 *
 * Tasks of arrays are batch jobs, whose scripts it would run. Here slurmstepd is a
 * process that says that all is well, and ends: nobody reports the end of the job.
 *
 * slurmctld knows the version of one node, and speaks to the others as to an old
 * slurmd, which asks for no signature of a batch job. Slurm 22.05 has it checked all
 * the same, by all threads at once with one context of libmunge. What that keeps of
 * each error is freed twice sooner or later, and slurmd is gone. Here a signature that
 * is none fails without libmunge.
 */

#include "src/common/slurm_xlator.h"

#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define BAD_CRED 8		/* EMUNGE_BAD_CRED: no header of munge is needed here */

int slurm_send_rc_msg(slurm_msg_t *msg, int rc)
{
	int (*real)(slurm_msg_t *, int) =
		(int (*)(slurm_msg_t *, int))dlsym(RTLD_NEXT, __func__);

	if (!real)
		return SLURM_ERROR;
	if (rc == SLURM_SUCCESS && (msg->msg_type == REQUEST_KILL_PREEMPTED ||
				    msg->msg_type == REQUEST_KILL_TIMELIMIT))
		rc = ESLURMD_KILL_JOB_ALREADY_COMPLETE;
	return real(msg, rc);
}

int munge_decode(const char *cred, void *ctx, void **buf, int *len, uid_t *uid, gid_t *gid)
{
	int (*real)(const char *, void *, void **, int *, uid_t *, gid_t *) = NULL;
	void *lib;

	if (!cred || strncmp(cred, "MUNGE:", strlen("MUNGE:")))
		return BAD_CRED;
	if ((lib = dlopen("libmunge.so.2", RTLD_LAZY)))
		real = (int (*)(const char *, void *, void **, int *, uid_t *,
				gid_t *))dlsym(lib, __func__);
	return real ? real(cred, ctx, buf, len, uid, gid) : BAD_CRED;
}

/*
 * slurmd writes to it until it has the answer, then closes the pipe. Nothing is
 * executed: pipes to others that start now are closed here, or none would end.
 */
int execvp(const char *file, char *const argv[])
{
	int (*real)(const char *, char *const[]) =
		(int (*)(const char *, char *const[]))dlsym(RTLD_NEXT, __func__);
	int rc = SLURM_SUCCESS;
	char said[4096];

	if (!strstr(file, "slurmstepd"))
		return real ? real(file, argv) : -1;
	for (int fd = STDERR_FILENO + 1; fd < 256; fd++)
		close(fd);
	if (write(STDOUT_FILENO, &rc, sizeof(rc)) != sizeof(rc))
		_exit(1);
	while (read(STDIN_FILENO, said, sizeof(said)) > 0)
		;
	_exit(0);
}
