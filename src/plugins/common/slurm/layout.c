/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  layout.c - do the headers that we were built with fit this slurmctld?
 *
 *  Slurm's loader compares versions, but records have changed their layout
 *  under one version, too. So before anything is read two sizes are compared.
 *  slurmctld's symbols tell the size of its configuration, and every record,
 *  also of GRES and of what a job has, tells the size that it had when it was
 *  made. If one of them is not the size that our headers have, none of
 *  slurmctld's data is read or written: slurmctld goes on as if only its own
 *  cons_tres were there, without preemption.
\*****************************************************************************/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

#include "slurm/passes.h"

#include "state/state.h"

static bool _misfit(const char *what, size_t ours, size_t theirs)
{
	if (!ctld.broken) {
		error(PREFIX "%s of this slurmctld have another layout than in the headers this plugin was built with (%s; %zu bytes, not %zu): quota is NOT enforced and no job is preempted; install the package built for this slurmctld",
		      what, SLURM_VERSION_STRING, theirs, ours);
	}
	ctld.broken = true;
	return false;
}

static bool _check_symbol(const char *what, void *symbol, size_t size)
{
	const ElfW(Sym) *elf = NULL;
	Dl_info info;

	/* without a symbol table the size is not known */
	if (!dladdr1(symbol, &info, (void **) &elf, RTLD_DL_SYMENT) || !elf)
		return true;
	return (elf->st_size == size) || _misfit(what, size, elf->st_size);
}

static bool _check_record(const char *what, void *record, size_t size)
{
	return !record || (xsize(record) == size) || _misfit(what, size, xsize(record));
}

extern void layout_check_start(void)
{
	if (_check_symbol("settings", &slurm_conf, sizeof(slurm_conf)))
		(void) _check_symbol("settings", &slurmctld_config, sizeof(slurmctld_config));
}

/* The first GRES of a list, whose data are those of a node or of a job. False: there is none. */
static bool _check_gres(const char *what, compat_list_t gres_list, size_t size)
{
	gres_state_t *gres = gres_list ? list_peek(gres_list) : NULL;

	if (gres && _check_record("GRES", gres, sizeof(*gres)))
		(void) _check_record(what, gres->gres_data, size);
	return gres;
}

extern void layout_check_tables(void)
{
	node_record_t *node_ptr;

	if (ctld.broken)
		return;
	if (part_list && !_check_record("partitions", list_peek(part_list),
			   sizeof(part_record_t)))
		return;
	for (int i = 0; !ctld.broken && (node_ptr = next_node(&i)); i++) {
		if (_check_record("nodes", node_ptr, sizeof(*node_ptr)) &&
		    _check_gres("GRES of nodes", node_ptr->gres_list, sizeof(gres_node_state_t)))
			return;
	}
}

/* The size is right: do the fields make sense? part_ptr lies behind details in the record: if
 * it points to a partition, then details is right, too, and may be followed. */
static bool _makes_sense(job_record_t *job_ptr)
{
	return (job_ptr->magic == JOB_MAGIC) && job_ptr->job_id &&
		(find_job_record(job_ptr->job_id) == job_ptr) &&
		list_find_first(part_list, same_pointer, job_ptr->part_ptr) &&
		(!job_ptr->details || job_ptr->details->magic == DETAILS_MAGIC);
}

/* What only some jobs have: the first one of these tells. */
static void _check_parts(job_record_t *job_ptr)
{
	static bool gres = false, resources = false;

	if (!gres)
		gres = _check_gres("GRES of jobs", job_ptr->gres_list_req,
				   sizeof(gres_job_state_t));
	if (resources || !job_ptr->job_resrcs)
		return;
	resources = true;
	(void) _check_record("resources of jobs", job_ptr->job_resrcs, sizeof(job_resources_t));
}

extern void layout_check_job(job_record_t *job_ptr)
{
	static bool checked = false;

	if (checked && !ctld.broken)
		_check_parts(job_ptr);
	if (checked || ctld.broken ||
	    !_check_record("job records", job_ptr, sizeof(job_record_t)) || !job_ptr->part_ptr)
		return;
	checked = true;
	if (!_makes_sense(job_ptr))
		_misfit("job records", sizeof(job_record_t), xsize(job_ptr));
	else
		(void) _check_record("details of jobs", job_ptr->details,
				     sizeof(compat_details_t));
}
