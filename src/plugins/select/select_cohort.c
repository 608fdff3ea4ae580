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
} ctld;

struct symbol {
	const char *name;
	void *where;
};

/* A list that ends with NULL */
static bool _find_all(void *handle, const struct symbol *symbols)
{
	for (; symbols->name; symbols++) {
		if (!(*(void **) symbols->where = dlsym(handle, symbols->name))) {
			error("slurm-cohort: %s", dlerror());
			return false;
		}
	}
	return true;
}

static bool _find_real(void)
{
	const struct symbol symbols[] = {
		{ "init", &real.init },
		{ "select_p_job_test", &real.job_test },
		{ "select_p_job_begin", &real.job_begin },
		{ "select_p_job_fini", &real.job_fini },
		{ "select_p_job_resized", &real.job_resized },
		{ "select_p_job_expand", &real.job_expand },
		{ "select_p_job_resume", &real.job_resume },
		{ "select_p_node_init", &real.node_init },
		{ "select_p_reconfigure", &real.reconfigure },
		{ NULL },
	};

	*(void **) &real.state_save = dlsym(RTLD_NEXT, "select_p_state_save");
	*(void **) &real.job_mem_reduce = dlsym(RTLD_NEXT, "select_p_job_mem_reduce");
	return _find_all(RTLD_NEXT, symbols);
}

static bool _find_ctld(void)
{
	const struct symbol symbols[] = {
		{ "ctld_select_init", &ctld.init },
		{ "ctld_reconfigure", &ctld.reconfigure },
		{ "ctld_save_state", &ctld.save_state },
		{ "ctld_nodes_changed", &ctld.nodes_changed },
		{ "ctld_job_test", &ctld.job_test },
		{ "ctld_job_begin", &ctld.job_begin },
		{ "ctld_job_fini", &ctld.job_fini },
		{ "ctld_job_resized", &ctld.job_resized },
		{ "ctld_job_resumed", &ctld.job_resumed },
		{ NULL },
	};
	char path[PATH_MAX];
	Dl_info self;
	char *slash;
	void *lib;

	if (!dladdr(_find_ctld, &self) || !self.dli_fname)
		return false;
	snprintf(path, sizeof(path), "%s", self.dli_fname);
	slash = strrchr(path, '/');
	slash = slash ? slash + 1 : path;
	snprintf(slash, sizeof(path) - (slash - path), "libcohort_ctld.so");
	if (!(lib = dlopen(path, RTLD_NOW | RTLD_LOCAL))) {
		error("slurm-cohort: %s", dlerror());
		return false;
	}
	return _find_all(lib, symbols);
}

extern int init(void)
{
	int rc;

	if (!_find_real())
		return SLURM_ERROR;
	if ((rc = real.init()) != SLURM_SUCCESS)
		return rc;
	if (!running_in_slurmctld())
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

extern int select_p_job_expand(job_record_t *from_job_ptr, job_record_t *to_job_ptr)
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
