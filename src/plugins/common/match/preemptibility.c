/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preemptibility.c - can a job be preempted?
\*****************************************************************************/
#include "match/preemptibility.h"

#include "match/queue_of_job.h"

extern enum conf_preemptibility preemptibility_word(const job_record_t *job_ptr)
{
	static const char key[] = "cohort:preemptibility=";
	const char *at = xstrstr(job_ptr->comment, key);
	size_t n;

	if (!at)
		return CONF_PREEMPTIBILITY_OPEN;
	at += sizeof(key) - 1;
	n = strcspn(at, " ,;");
	if ((n == strlen("preemptible")) && !xstrncmp(at, "preemptible", n))
		return CONF_PREEMPTIBLE;
	if ((n == strlen("non-preemptible")) && !xstrncmp(at, "non-preemptible", n))
		return CONF_NONPREEMPTIBLE;
	return CONF_PREEMPTIBILITY_OPEN;
}

extern bool preemptibility_has_rule(int queue)
{
	const struct conf_nonpreemptible *by =
		&ctld.conf->queues[queue].nonpreemptible;

	return by->rules.n || by->priority_set || by->by_user;
}

extern bool preemptibility_is_non(job_record_t *job_ptr, part_record_t *part_ptr, int queue,
				  int64_t priority)
{
	struct conf_job names;
	char number[16];

	if (!preemptibility_has_rule(queue))
		return false;
	job_names(job_ptr, part_ptr, &names, number, sizeof(number));
	return conf_is_nonpreemptible(ctld.conf, queue, &names, priority,
				      preemptibility_word(job_ptr));
}
