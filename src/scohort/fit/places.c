/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.c - time limits, partitions and cluster queues that a job may try
 *
 * The cluster queue follows from partition, account and QOS: one of them is changed. slurmctld
 * tells each user the accounts and QOS that are the user's own.
 */
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
#define TIMES_MAX 64

/* ---- what slurmctld tells ---- */

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

/* ---- time limits ---- */

static int longest_first(const void *a, const void *b)
{
	return compare64(*(const int64_t *) b, *(const int64_t *) a);
}

/* Up to the reservations that begin within its time, or else a part of it: there may be room
 * before the jobs that Slurm has planned. */
static void times_find(struct fit_search *s, int64_t limit, int64_t now)
{
	int64_t times[TIMES_MAX + FIT_TIMES] = { limit / 120 * 60, limit / 480 * 60 };
	uint32_t all = load.reservations ? load.reservations->record_count : 0;
	size_t n = 0;

	for (uint32_t i = 0; i < all && n < TIMES_MAX; i++) {
		int64_t time = (load.reservations->reservation_array[i].start_time - now - MARGIN)
			       / 60 * 60;

		if (time > 0 && (!limit || time < limit))
			times[n++] = time;
	}
	qsort(times, n ? n : FIT_TIMES, sizeof(*times), longest_first);
	for (size_t i = 0; i < FIT_TIMES && times[i] && (!n || i < n); i++)
		text_duration(s->times[i], sizeof(s->times[i]), times[i]);
}

/* ---- places ---- */

struct places {
	struct fit_search *s;
	const struct story *story;
	int64_t free[FIT_PLACES];	/* the most first */
};

/* The most that is free or could be reclaimed of what the job lacks; -1: there could never
 * be enough. In its own queue only other flavors count. */
static int64_t free_most(struct json_object *queue, bool own, const struct reason *r)
{
	const char *resource = *r->resource ? r->resource : "cpu";
	int64_t most = -1;

	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *q = json_item(queue, "quota", i);

		if (strcmp(json_text(q, "resource"), resource)
		    || (own && !strcmp(json_text(q, "flavor"), r->flavor))
		    || json_number(q, "potential") < r->numbers[REASON_NEED])
			continue;
		most = max64(most, sat_add(json_number(q, "free"), json_number(q, "reclaimable")));
	}
	return most;
}

/* The job with this partition, account or QOS. The best ones are asked for; whether the user
 * may have a partition, the question shows. */
static void place_try(struct places *p, enum fit_field field, const char *text)
{
	struct fit_search *s = p->s;
	struct view v = *p->story->v;
	struct json_object *queue;
	int64_t most;
	size_t i = s->nplaces;
	bool sure;

	*(field == FIT_PARTITION ? &v.partition : field == FIT_ACCOUNT ? &v.account : &v.qos) = text;
	queue = published_match(p->story->p, &v, &sure);
	if (!queue || *published_stop(queue)
	    || (queue == p->story->queue && field != FIT_PARTITION))
		return;
	most = free_most(queue, queue == p->story->queue, s->wait);
	for (; i && p->free[i - 1] < most; i--) {
		if (i < FIT_PLACES) {
			s->places[i] = s->places[i - 1];
			p->free[i] = p->free[i - 1];
		}
	}
	if (i == FIT_PLACES || most < 0)
		return;
	s->places[i] = s->job->asked;
	request_set(&s->places[i], field, text);
	p->free[i] = most;
	s->nplaces += s->nplaces < FIT_PLACES;
}

static void partitions_try(struct places *p)
{
	uint32_t n = load.partitions ? load.partitions->record_count : 0;

	for (uint32_t i = 0; i < n; i++) {
		const partition_info_t *part = &load.partitions->partition_array[i];

		if (part->state_up == PARTITION_UP
		    && strcmp(p->s->job->asked.value[FIT_PARTITION], part->name))
			place_try(p, FIT_PARTITION, part->name);
	}
}

/* The QOS with one of these ids */
static void qos_try(struct places *p, const slurmdb_assoc_rec_t *assoc)
{
	void *all = slurm_list_iterator_create(load.associations->qos_list);
	const slurmdb_qos_rec_t *qos;
	const char *id;

	while ((qos = slurm_list_next(all))) {
		void *ids = slurm_list_iterator_create(assoc->qos_list);

		while ((id = slurm_list_next(ids))) {
			if (qos->id == strtoul(id, NULL, 10) && qos->name)
				place_try(p, FIT_QOS, qos->name);
		}
		slurm_list_iterator_destroy(ids);
	}
	slurm_list_iterator_destroy(all);
}

static void association_try(struct places *p, const slurmdb_assoc_rec_t *assoc)
{
	const struct fit_request *r = &p->s->job->asked;

	if (!assoc->user || !assoc->acct || assoc->partition)
		return;
	if (strcmp(assoc->acct, r->value[FIT_ACCOUNT]))
		place_try(p, FIT_ACCOUNT, assoc->acct);
	else if (assoc->qos_list && load.associations->qos_list)
		qos_try(p, assoc);
}

bool fit_find(struct fit_search *s, const struct story *story)
{
	struct places p = { .s = s, .story = story };
	slurmdb_assoc_rec_t *assoc;
	bool any = false;
	char err[256];
	void *iter;

	load.asked.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS;
	load.asked.user_list = slurm_list_create(NULL);
	slurm_list_append(load.asked.user_list, must(strdup(view_user(story->v))));
	if (!timed_question(ask, NULL, &load.error, err, sizeof(err)) && !load.error)
		return false;
	times_find(s, story->v->time_limit, story->now);
	partitions_try(&p);
	if (!load.associations || !load.associations->assoc_list)
		return false;
	iter = slurm_list_iterator_create(load.associations->assoc_list);
	for (; (assoc = slurm_list_next(iter)); any = true)
		association_try(&p, assoc);
	slurm_list_iterator_destroy(iter);
	return any;
}
