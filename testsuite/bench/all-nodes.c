// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * all-nodes - lets one slurmd end preempted jobs of all nodes; for LD_PRELOAD
 *
 * slurmd has one answer to the end of a job that it has no processes of: it is
 * over. But to a preempted job it says "received" first, and reports the end later
 * by its own name: a slurmd that stands for a thousand nodes would clear one. Here it
 * reports that by the name of the job's node, once, as the slurmd of that node would. A
 * job on several nodes is over by the first answer, as any other job is.
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

/* The only node of the preempted job that this thread of slurmd ends, or "" */
static __thread char ending_on[256];

/* False if the job has several nodes */
static bool _note_node(const kill_job_msg_t *ends)
{
	if (!ends->nodes || strpbrk(ends->nodes, "[,") ||
	    (strlen(ends->nodes) >= sizeof(ending_on)))
		return false;
	strcpy(ending_on, ends->nodes);
	return true;
}

int slurm_send_rc_msg(slurm_msg_t *msg, int rc)
{
	int (*real)(slurm_msg_t *, int) =
		(int (*)(slurm_msg_t *, int))dlsym(RTLD_NEXT, __func__);

	if (!real)
		return SLURM_ERROR;
	ending_on[0] = '\0';
	if (rc == SLURM_SUCCESS && (msg->msg_type == REQUEST_KILL_PREEMPTED ||
				    msg->msg_type == REQUEST_KILL_TIMELIMIT) &&
	    !_note_node(msg->data))
		rc = ESLURMD_KILL_JOB_ALREADY_COMPLETE;
	return real(msg, rc);
}

static void _name_node(slurm_msg_t *msg)
{
	if ((msg->msg_type == MESSAGE_EPILOG_COMPLETE) && ending_on[0])
		((epilog_complete_msg_t *) msg->data)->node_name = ending_on;
}

int slurm_send_only_controller_msg(slurm_msg_t *msg, slurmdb_cluster_rec_t *cluster)
{
	int (*real)(slurm_msg_t *, slurmdb_cluster_rec_t *) =
		(int (*)(slurm_msg_t *, slurmdb_cluster_rec_t *))dlsym(RTLD_NEXT, __func__);

	_name_node(msg);
	return real ? real(msg, cluster) : SLURM_ERROR;
}

/* The same from Slurm 24.11 on */
int slurm_send_recv_controller_rc_msg(slurm_msg_t *msg, int *rc, slurmdb_cluster_rec_t *cluster)
{
	int (*real)(slurm_msg_t *, int *, slurmdb_cluster_rec_t *) =
		(int (*)(slurm_msg_t *, int *, slurmdb_cluster_rec_t *))dlsym(RTLD_NEXT, __func__);

	_name_node(msg);
	return real ? real(msg, rc, cluster) : SLURM_ERROR;
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
