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

static struct {
	int (*init)(void);
	compat_job_test_f job_test;
	int (*job_begin)(job_record_t *);
	int (*job_fini)(job_record_t *);
	int (*job_resized)(job_record_t *, node_record_t *);
	int (*job_expand)(job_record_t *, job_record_t *);
	int (*job_resume)(job_record_t *, bool);
	int (*node_init)(void);
	int (*reconfigure)(void);
	int (*state_save)(char *);	/* NULL from 25.05 on */
	void (*job_mem_reduce)(job_record_t *);	/* NULL before 26.05 */
#if COMPAT_HAS_JOBINFO
	int (*jobinfo_set)(select_jobinfo_t *, enum select_jobdata_type, void *);
#endif
} real;

/* The shared part, in slurmctld only */
static struct {
	int (*init)(void);
	void (*reconfigure)(void);
	void (*save_state)(void);
	void (*nodes_changed)(void);
	int (*job_test)(compat_job_test_f, COMPAT_JOB_TEST_PARAMS);
	void (*job_begin)(job_record_t *);
	void (*job_fini)(job_record_t *);
	void (*job_resized)(job_record_t *);
	void (*job_resumed)(void);
	void (*job_made)(void);
} ctld;

static bool _find(void *handle, const char *name, void *where)
{
	void *symbol = dlsym(handle, name);

	if (!symbol)
		error("slurm-cohort: %s", dlerror());
	*(void **) where = symbol;
	return symbol != NULL;
}

static bool _find_real(void)
{
	*(void **) &real.state_save = dlsym(RTLD_NEXT, "select_p_state_save");
	*(void **) &real.job_mem_reduce =
		dlsym(RTLD_NEXT, "select_p_job_mem_reduce");
#if COMPAT_HAS_JOBINFO
	if (!_find(RTLD_NEXT, "select_p_select_jobinfo_set", &real.jobinfo_set))
		return false;
#endif
	return _find(RTLD_NEXT, "init", &real.init) &&
		_find(RTLD_NEXT, "select_p_job_test", &real.job_test) &&
		_find(RTLD_NEXT, "select_p_job_begin", &real.job_begin) &&
		_find(RTLD_NEXT, "select_p_job_fini", &real.job_fini) &&
		_find(RTLD_NEXT, "select_p_job_resized", &real.job_resized) &&
		_find(RTLD_NEXT, "select_p_job_expand", &real.job_expand) &&
		_find(RTLD_NEXT, "select_p_job_resume", &real.job_resume) &&
		_find(RTLD_NEXT, "select_p_node_init", &real.node_init) &&
		_find(RTLD_NEXT, "select_p_reconfigure", &real.reconfigure);
}

static bool _find_ctld(void)
{
	char path[PATH_MAX];
	Dl_info self;
	char *slash;
	void *lib;

	if (!dladdr(_find_ctld, &self) || !self.dli_fname)
		return false;
	snprintf(path, sizeof(path), "%s", self.dli_fname);
	slash = strrchr(path, '/');
	snprintf(slash ? slash + 1 : path,
		 sizeof(path) - (slash ? slash + 1 - path : 0),
		 "libcohort_ctld.so");
	if (!(lib = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
		error("slurm-cohort: %s", dlerror());
		return false;
	}
	return _find(lib, "ctld_select_init", &ctld.init) &&
		_find(lib, "ctld_reconfigure", &ctld.reconfigure) &&
		_find(lib, "ctld_save_state", &ctld.save_state) &&
		_find(lib, "ctld_nodes_changed", &ctld.nodes_changed) &&
		_find(lib, "ctld_job_test", &ctld.job_test) &&
		_find(lib, "ctld_job_begin", &ctld.job_begin) &&
		_find(lib, "ctld_job_fini", &ctld.job_fini) &&
		_find(lib, "ctld_job_resized", &ctld.job_resized) &&
		_find(lib, "ctld_job_resumed", &ctld.job_resumed) &&
		_find(lib, "ctld_job_made", &ctld.job_made);
}

extern int init(void)
{
	int rc;

	if (!_find_real())
		return SLURM_ERROR;
	if ((rc = real.init()) != SLURM_SUCCESS)
		return rc;
	if (!compat_in_slurmctld())
		return SLURM_SUCCESS;
	if (!_find_ctld())
		fatal("slurm-cohort: libcohort_ctld.so must be in the folder of this select_cons_tres.so, built for Slurm %s",
		      SLURM_VERSION_STRING);
	return ctld.init();
}

extern int select_p_job_test(COMPAT_JOB_TEST_PARAMS)
{
	if (!ctld.job_test)
		return real.job_test(COMPAT_JOB_TEST_ARGS);
	return ctld.job_test(real.job_test, COMPAT_JOB_TEST_ARGS);
}

#if COMPAT_HAS_JOBINFO
/* The first that slurmctld asks of us about a job that is submitted, when it
 * makes its record */
extern int select_p_select_jobinfo_set(select_jobinfo_t *jobinfo,
				       enum select_jobdata_type data_type,
				       void *data)
{
	if (ctld.job_made)
		ctld.job_made();
	return real.jobinfo_set(jobinfo, data_type, data);
}
#endif

extern int select_p_job_begin(job_record_t *job_ptr)
{
	int rc = real.job_begin(job_ptr);

	if (ctld.job_begin && (rc == SLURM_SUCCESS))
		ctld.job_begin(job_ptr);
	return rc;
}

extern int select_p_job_fini(job_record_t *job_ptr)
{
	int rc = real.job_fini(job_ptr);

	if (ctld.job_fini)
		ctld.job_fini(job_ptr);
	return rc;
}

extern int select_p_job_resized(job_record_t *job_ptr, node_record_t *node_ptr)
{
	int rc = real.job_resized(job_ptr, node_ptr);

	if (ctld.job_resized && (rc == SLURM_SUCCESS))
		ctld.job_resized(job_ptr);
	return rc;
}

extern int select_p_job_expand(job_record_t *from_job_ptr,
			       job_record_t *to_job_ptr)
{
	int rc = real.job_expand(from_job_ptr, to_job_ptr);

	if (ctld.job_resized && (rc == SLURM_SUCCESS)) {
		ctld.job_resized(from_job_ptr);
		ctld.job_resized(to_job_ptr);
	}
	return rc;
}

/* A running job gives memory back (26.05 on) */
extern void select_p_job_mem_reduce(job_record_t *job_ptr)
{
	if (real.job_mem_reduce)
		real.job_mem_reduce(job_ptr);
	if (ctld.job_resized)
		ctld.job_resized(job_ptr);
}

extern int select_p_job_resume(job_record_t *job_ptr, bool indf_susp)
{
	int rc = real.job_resume(job_ptr, indf_susp);

	if (ctld.job_resumed && (rc == SLURM_SUCCESS))
		ctld.job_resumed();
	return rc;
}

/* cons_tres builds its tables anew in each reconfigure, also when the node
 * table has not changed, and its call of node_init reaches ours. */
static bool reconfiguring;

extern int select_p_node_init(void)
{
	int rc = real.node_init();

	if (ctld.nodes_changed && !reconfiguring)
		ctld.nodes_changed();
	return rc;
}

extern int select_p_reconfigure(void)
{
	int rc;

	reconfiguring = true;
	rc = real.reconfigure();
	reconfiguring = false;
	if (ctld.reconfigure && (rc == SLURM_SUCCESS))
		ctld.reconfigure();
	return rc;
}

/* Before a shutdown, and before slurmctld runs itself anew. From 25.05 on
 * slurmctld does not call it. */
extern int select_p_state_save(char *dir_name)
{
	if (ctld.save_state)
		ctld.save_state();
	return real.state_save ? real.state_save(dir_name) : SLURM_SUCCESS;
}
