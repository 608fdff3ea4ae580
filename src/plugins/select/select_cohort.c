/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  select_cohort.c - quota in front of Slurm's select/cons_tres
 *
 *  Built as select_cons_tres.so in a folder of its own that stands first in
 *  PluginDir, and linked with Slurm's select_cons_tres.so: symbols that are not
 *  defined here are found there, and functions that are defined here call it
 *  through RTLD_NEXT. slurmd and the client commands load this object too;
 *  there it does nothing, and the shared part (libcohort_ctld.so) is not even
 *  loaded.
\*****************************************************************************/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>

#include "hooks/ctld.h"

static void *ctld;		/* the shared part, in slurmctld only */

/* The function of that name in cons_tres, or NULL; in the shared part, which must be there */
#define REAL(f) FIND(RTLD_NEXT, f)
#define CTLD(f) FIND(ctld, f)
/* Looked up at the first call */
#define FIND(where, f) ({						\
	static typeof(&(f)) found;					\
									\
	if (!found)							\
		found = (typeof(&(f))) dlsym(where, #f);		\
	found;								\
})

static const char *const real_names[] = {
	"init", "select_p_job_test", "select_p_job_begin", "select_p_job_fini",
	"select_p_job_resized", "select_p_job_expand", "select_p_job_resume",
	"select_p_node_init", "select_p_reconfigure", NULL
};
static const char *const ctld_names[] = {
	"ctld_select_init", "ctld_reconfigure", "ctld_save_state", "ctld_nodes_changed",
	"ctld_job_test", "ctld_job_begin", "ctld_job_fini", "ctld_job_resized",
	"ctld_job_resumed", NULL
};

static bool _has_all(void *where, const char *const *names)
{
	for (; *names; names++) {
		if (!dlsym(where, *names)) {
			error("slurm-cohort: %s", dlerror());
			return false;
		}
	}
	return true;
}

static bool _open_ctld(void)
{
	char path[PATH_MAX];
	Dl_info self;
	char *slash;

	if (!dladdr(_open_ctld, &self) || !self.dli_fname)
		return false;
	snprintf(path, sizeof(path), "%s", self.dli_fname);
	slash = strrchr(path, '/');
	slash = slash ? slash + 1 : path;
	snprintf(slash, sizeof(path) - (slash - path), "libcohort_ctld.so");
	if (!(ctld = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
		error("slurm-cohort: %s", dlerror());
		return false;
	}
	return _has_all(ctld, ctld_names);
}

extern int init(void)
{
	int rc;

	if (!_has_all(RTLD_NEXT, real_names))
		return SLURM_ERROR;
	if ((rc = REAL(init)()) != SLURM_SUCCESS)
		return rc;
	if (!running_in_slurmctld())
		return SLURM_SUCCESS;
	if (!_open_ctld())
		fatal("slurm-cohort: libcohort_ctld.so must be in the folder of this select_cons_tres.so, built for Slurm %s",
		      SLURM_VERSION_STRING);
	return CTLD(ctld_select_init)();
}

extern int select_p_job_test(COMPAT_JOB_TEST_PARAMS)
{
	if (!ctld)
		return REAL(select_p_job_test)(COMPAT_JOB_TEST_ARGS);
	return CTLD(ctld_job_test)(REAL(select_p_job_test), COMPAT_JOB_TEST_ARGS);
}

extern int select_p_job_begin(job_record_t *job_ptr)
{
	int rc = REAL(select_p_job_begin)(job_ptr);

	if (ctld && (rc == SLURM_SUCCESS))
		CTLD(ctld_job_begin)(job_ptr);
	return rc;
}

extern int select_p_job_fini(job_record_t *job_ptr)
{
	int rc = REAL(select_p_job_fini)(job_ptr);

	if (ctld)
		CTLD(ctld_job_fini)(job_ptr);
	return rc;
}

extern int select_p_job_resized(job_record_t *job_ptr, node_record_t *node_ptr)
{
	int rc = REAL(select_p_job_resized)(job_ptr, node_ptr);

	if (ctld && (rc == SLURM_SUCCESS))
		CTLD(ctld_job_resized)(job_ptr);
	return rc;
}

extern int select_p_job_expand(job_record_t *from_job_ptr, job_record_t *to_job_ptr)
{
	int rc = REAL(select_p_job_expand)(from_job_ptr, to_job_ptr);

	if (ctld && (rc == SLURM_SUCCESS)) {
		CTLD(ctld_job_resized)(from_job_ptr);
		CTLD(ctld_job_resized)(to_job_ptr);
	}
	return rc;
}

/* A running job gives memory back (26.05 on) */
extern void select_p_job_mem_reduce(job_record_t *job_ptr)
{
	if (REAL(select_p_job_mem_reduce))
		REAL(select_p_job_mem_reduce)(job_ptr);
	if (ctld)
		CTLD(ctld_job_resized)(job_ptr);
}

extern int select_p_job_resume(job_record_t *job_ptr, bool indf_susp)
{
	int rc = REAL(select_p_job_resume)(job_ptr, indf_susp);

	if (ctld && (rc == SLURM_SUCCESS))
		CTLD(ctld_job_resumed)();
	return rc;
}

/* cons_tres builds its tables anew in each reconfigure, also when the node
 * table has not changed, and its call of node_init reaches ours. */
static bool reconfiguring;

extern int select_p_node_init(void)
{
	int rc = REAL(select_p_node_init)();

	if (ctld && !reconfiguring)
		CTLD(ctld_nodes_changed)();
	return rc;
}

extern int select_p_reconfigure(void)
{
	int rc;

	reconfiguring = true;
	rc = REAL(select_p_reconfigure)();
	reconfiguring = false;
	if (ctld && (rc == SLURM_SUCCESS))
		CTLD(ctld_reconfigure)();
	return rc;
}

/* Before a shutdown, and before slurmctld runs itself anew. From 25.05 on
 * slurmctld does not call it. */
extern int select_p_state_save(char *dir_name)
{
	if (ctld)
		CTLD(ctld_save_state)();
	return REAL(select_p_state_save) ? REAL(select_p_state_save)(dir_name) : SLURM_SUCCESS;
}
