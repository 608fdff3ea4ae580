/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.c - time limits, partitions and cluster queues that a job may try
 *
 * The cluster queue follows from partition, account and QOS: one of them is changed. slurmctld
 * tells each user the accounts and QOS that are the user's own.
 */
#define _GNU_SOURCE	/* strcasestr */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurmdb.h>

#include "fit/fit.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "must.h"
#include "output/text.h"
#include "slurm/api.h"

#define MARGIN 30	/* seconds, until slurmctld starts it */

static struct {
	reserve_info_msg_t *reservations;
	partition_info_msg_t *partitions;
	assoc_mgr_info_request_msg_t asked;
	assoc_mgr_info_msg_t *associations;
	int error;
} load;		/* a question that took too long may still be answered later; NULL: not told */

static void ask(void *arg)
{
	(void) arg;
	if (slurm_load_reservations(0, &load.reservations)
	    || slurm_load_partitions(0, &load.partitions, 0)
	    || slurm_load_assoc_mgr_info(&load.asked, &load.associations))
		load.error = errno;
}

/* Up to the last and the first reservation that begin within its time; or else parts of it:
 * there may be room before the jobs that Slurm has planned. */
static void times_find(struct fit_search *s, int64_t limit, int64_t now)
{
	uint32_t n = load.reservations ? load.reservations->record_count : 0;
	int64_t longest = 0, shortest = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t time = load.reservations->reservation_array[i].start_time - now - MARGIN;

		if (time < 60 || (limit && time >= limit))
			continue;
		longest = max64(longest, time);
		shortest = shortest ? min64(shortest, time) : time;
	}
	if (!longest) {
		longest = limit / 2;
		shortest = limit / 8;
	}
	if (longest >= 60)
		text_duration(s->times[0], TEXT_SIZE, longest / 60 * 60);
	if (shortest >= 60 && shortest < longest)
		text_duration(s->times[1], TEXT_SIZE, shortest / 60 * 60);
}

/* ---- places ---- */

/* Is there as much free, or to be reclaimed, of what the job lacks? Its own queue lacks the
 * flavor that the reason names. */
static bool has_room(struct json_object *queue, bool own, const struct reason *r)
{
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *q = json_item(queue, "quota", i);

		if (!strncmp(json_text(q, "resource"), r->resource, strlen(r->resource))
		    && !(own && !strcmp(json_text(q, "flavor"), r->flavor))
		    && sat_add(json_number(q, "free"), json_number(q, "reclaimable"))
		       >= r->numbers[REASON_NEED])
			return true;
	}
	return false;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; n && (at = strcasestr(at, word)); at += n)
		if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

static bool is_allowed(const char *allow, const char *deny, const char *name)
{
	return allow ? has_word(allow, name) : !deny || !has_word(deny, name);
}

/* Do its partitions take it? With EnforcePartLimits=NO a question says so of all; the job would
 * then wait there without end. */
static bool has_entry(const struct fit_request *r, int64_t time_limit)
{
	for (uint32_t i = 0; load.partitions && i < load.partitions->record_count; i++) {
		const partition_info_t *p = &load.partitions->partition_array[i];

		if (has_word(r->value[FIT_PARTITION], p->name)
		    && ((p->max_time != INFINITE
			 && (!time_limit || time_limit > 60 * (int64_t) p->max_time))
			|| !is_allowed(p->allow_accounts, p->deny_accounts,
				       r->value[FIT_ACCOUNT])
			|| !is_allowed(p->allow_qos, p->deny_qos, r->value[FIT_QOS])))
			return false;
	}
	return true;
}

/* The job with this partition, account or QOS. Whether the user may have it, the question
 * shows. */
static void place_try(struct fit_search *s, const struct story *story, enum fit_field field,
		      const char *text)
{
	struct fit_request *place = &s->places[s->nplaces];
	struct view v = *story->v;
	const char **of = field == FIT_PARTITION ? &v.partition
			  : field == FIT_ACCOUNT ? &v.account : &v.qos;
	struct json_object *queue;
	bool sure;

	*of = text;
	queue = published_match(story->p, &v, &sure);
	if (s->nplaces == FIT_PLACES || !queue || *published_stop(queue)
	    || has_word(s->job->asked.value[field], text)
	    || (queue == story->queue && field != FIT_PARTITION)
	    || !has_room(queue, queue == story->queue, s->wait))
		return;
	*place = s->job->asked;
	request_set(place, field, text);
	s->nplaces += has_entry(place, v.time_limit);
}

/* Each QOS that the association has */
static void qos_try(struct fit_search *s, const struct story *story,
		    const slurmdb_assoc_rec_t *assoc)
{
	void *all = slurm_list_iterator_create(load.associations->qos_list);
	const slurmdb_qos_rec_t *qos;
	const char *id;

	while ((qos = slurm_list_next(all))) {
		void *ids = slurm_list_iterator_create(assoc->qos_list);

		while ((id = slurm_list_next(ids))) {
			if (qos->id == strtoul(id, NULL, 10) && qos->name)
				place_try(s, story, FIT_QOS, qos->name);
		}
		slurm_list_iterator_destroy(ids);
	}
	slurm_list_iterator_destroy(all);
}

/* False: slurmctld knows none */
static bool associations_try(struct fit_search *s, const struct story *story)
{
	const slurmdb_assoc_rec_t *assoc;
	bool any = false;
	void *iter;

	if (!load.associations || !load.associations->assoc_list)
		return false;
	iter = slurm_list_iterator_create(load.associations->assoc_list);
	while ((assoc = slurm_list_next(iter))) {
		if (!assoc->user || !assoc->acct || assoc->partition)
			continue;
		any = true;
		if (strcmp(assoc->acct, s->job->asked.value[FIT_ACCOUNT]))
			place_try(s, story, FIT_ACCOUNT, assoc->acct);
		else if (assoc->qos_list && load.associations->qos_list)
			qos_try(s, story, assoc);
	}
	slurm_list_iterator_destroy(iter);
	return any;
}

bool fit_find(struct fit_search *s, const struct story *story)
{
	char err[256];

	load.asked.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS;
	load.asked.user_list = slurm_list_create(NULL);
	slurm_list_append(load.asked.user_list, must(strdup(view_user(story->v))));
	if (!timed_question(ask, NULL, &load.error, err, sizeof(err)) && !load.error)
		return false;
	times_find(s, story->v->time_limit, story->now);
	for (uint32_t i = 0; load.partitions && i < load.partitions->record_count; i++) {
		if (load.partitions->partition_array[i].state_up == PARTITION_UP)
			place_try(s, story, FIT_PARTITION,
				  load.partitions->partition_array[i].name);
	}
	return associations_try(s, story);
}
