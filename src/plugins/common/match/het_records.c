/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het_records.c - the components of a heterogeneous job, as slurmctld has them
\*****************************************************************************/
#include "match/het_records.h"

extern struct het_ids het_components(const job_record_t *job_ptr)
{
	const job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;
	struct het_ids ids = { .het_job_id = job_ptr->het_job_id, .next = 1 };

	/* without the list it is still being submitted */
	if (leader && leader->het_job_list)
		ids.rest = leader->het_job_id_set;
	return ids;
}

extern job_record_t *het_next_record(struct het_ids *ids)
{
	char *end;

	for (;;) {
		while (ids->next <= ids->last) {
			job_record_t *job_ptr = find_job_record(ids->next++);

			if (job_ptr && (job_ptr->het_job_id == ids->het_job_id))
				return job_ptr;
		}
		if (!ids->rest)
			return NULL;
		ids->next = ids->last = strtoul(ids->rest, &end, 10);
		if (*end == '-')
			ids->last = strtoul(end + 1, &end, 10);
		ids->rest = (*end == ',') ? end + 1 : NULL;
	}
}

extern job_record_t *het_leader(job_record_t *job_ptr)
{
	job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;

	return leader && leader->het_job_list ? leader : job_ptr;
}

extern bool het_any(const job_record_t *job_ptr,
		    bool (*f)(job_record_t *job_ptr, time_t now), time_t now)
{
	struct het_ids ids;
	job_record_t *component;

	if (!job_ptr->het_job_id)	/* scans ask this of each record */
		return false;
	ids = het_components(job_ptr);
	while ((component = het_next_record(&ids))) {
		if (f(component, now))
			return true;
	}
	return false;
}
