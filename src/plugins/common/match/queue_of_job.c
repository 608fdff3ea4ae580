/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.c - which queue a job is of, and with which priority
\*****************************************************************************/
#include "match/queue_of_job.h"

#include "state/job.h"
#include "match/fingerprint.h"

#include "lib/numbering.h"
#include "query.h"

/* A number for each account (or user) of a queue that entries use */
static struct numbering local_queues;

/* Numbers that are in use for what was used, by number */
static struct {
	bool *is;
	int size;
	uint32_t times;			/* how often a number came into use */
} held;

extern part_record_t *partition_of_job(job_record_t *job_ptr)
{
	/* part_ptr moves along the list while Slurm tries one after another */
	if (IS_JOB_PENDING(job_ptr) && job_ptr->part_ptr_list && list_count(job_ptr->part_ptr_list))
		return list_peek(job_ptr->part_ptr_list);
	return job_ptr->part_ptr;
}

extern compat_list_t partitions_by_name(const job_record_t *job_ptr)
{
	compat_list_t partitions = list_create(NULL);
	char *names = xstrdup(job_ptr->partition), *rest = NULL;
	part_record_t *part_ptr;

	for (char *name = strtok_r(names, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if ((part_ptr = find_part_record(name)))
			list_append(partitions, part_ptr);
	}
	xfree(names);
	list_sort(partitions, priority_sort_part_tier);
	return partitions;
}

/* ---- the queue ---- */

/* No look-up of names here: it could block, under slurmctld's locks. */
static const char *_user(const job_record_t *job_ptr)
{
	if (job_ptr->assoc_ptr && job_ptr->assoc_ptr->user)
		return job_ptr->assoc_ptr->user;
	return job_ptr->user_name;
}

struct number {
	char text[16];
};

static const char *_name_or_number(const char *name, uint32_t user_id, struct number *number)
{
	if (name)
		return name;
	snprintf(number->text, sizeof(number->text), "%u", user_id);
	return number->text;
}

/* What the rules compare, and the queue that they led to. A site has hundreds
 * of rules, and slurmctld asks for the queues of the same few partitions, QOS,
 * accounts and users over and over: in each comparison of a sort, for each
 * candidate for preemption. */
enum { BY_PARTITION, BY_QOS, BY_ACCOUNT, BY_USER, NAMES };

/* No name of a user: they are known by their number */
struct names {
	const char *by[NAMES];
	uint32_t user_id;
};

struct match {
	char *by[NAMES];
	uint32_t user_id;
	int queue;
	bool known;
};

/* By _set_of(); the newest of a set comes first, and the oldest makes room. So
 * many, so that no user can make it large: a power of two */
#define SETS 512
#define WAYS 8

static struct match matches[SETS][WAYS];
static uint64_t matched;		/* how often the rules were gone through */

/* Numbers that mostly differ where names differ, as names take longer. Jobs
 * without an association are told apart by their account, too. */
static struct match *_set_of(const job_record_t *job_ptr,
			     const part_record_t *part_ptr)
{
	uint64_t hash = fingerprint_mix((uintptr_t) part_ptr, job_ptr->user_id);

	hash = fingerprint_mix(hash, ((uint64_t) job_ptr->qos_id << 32) |
			       job_ptr->assoc_id);
	if (!job_ptr->assoc_id)
		hash = fingerprint_mix_text(hash, job_ptr->account);
	return matches[hash >> 32 & (SETS - 1)];
}

extern void job_names(job_record_t *job_ptr, const part_record_t *part_ptr,
		      struct conf_job *names, char *number, size_t size)
{
	*names = (struct conf_job) {
		.partition = part_ptr ? part_ptr->name : NULL,
		.qos = job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL,
		.account = job_ptr->account,
		.user = _user(job_ptr),
	};
	if (names->user)
		return;
	snprintf(number, size, "%u", job_ptr->user_id);
	names->user = number;
}

static void _names_of(const job_record_t *job_ptr, const part_record_t *part_ptr,
		      struct names *names)
{
	names->by[BY_PARTITION] = part_ptr ? part_ptr->name : NULL;
	names->by[BY_QOS] = job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL;
	names->by[BY_ACCOUNT] = job_ptr->account;
	names->by[BY_USER] = _user(job_ptr);
	names->user_id = job_ptr->user_id;
}

static bool _is_of(const struct match *match, const struct names *names)
{
	if (match->user_id != names->user_id)
		return false;
	for (int i = 0; i < NAMES; i++) {
		if (xstrcmp(match->by[i], names->by[i]))
			return false;
	}
	return true;
}

static const struct match *_find(const struct match *set,
				 const struct names *names)
{
	for (int i = 0; (i < WAYS) && set[i].known; i++) {
		if (_is_of(&set[i], names))
			return &set[i];
	}
	return NULL;
}

static int _match(const struct names *names)
{
	struct number number;

	return conf_match_queue(ctld.conf, names->by[BY_PARTITION],
				names->by[BY_QOS], names->by[BY_ACCOUNT],
				_name_or_number(names->by[BY_USER],
						names->user_id, &number));
}

static void _forget(struct match *match)
{
	for (int i = 0; i < NAMES; i++)
		xfree(match->by[i]);
	match->known = false;
}

static void _release_held(void)
{
	for (int number = 1; number < held.size; number++) {
		if (held.is[number])
			numbering_put(&local_queues, number);
		held.is[number] = false;
	}
}

extern void queue_forget_matches(void)
{
	for (size_t i = 0; i < SETS; i++) {
		for (size_t k = 0; k < WAYS; k++)
			_forget(&matches[i][k]);
	}
	_release_held();
}

extern uint64_t queue_matches(void)
{
	return matched;
}

extern int queue_of_job_seen(job_record_t *job_ptr, part_record_t *part_ptr)
{
	const struct match *match;
	struct names names;

	_names_of(job_ptr, part_ptr, &names);
	match = _find(_set_of(job_ptr, part_ptr), &names);
	return match ? match->queue : _match(&names);
}

extern int queue_of_job(job_record_t *job_ptr, part_record_t *part_ptr)
{
	struct match *set = _set_of(job_ptr, part_ptr);
	const struct match *match;
	struct names names;

	_names_of(job_ptr, part_ptr, &names);
	if ((match = _find(set, &names)))
		return match->queue;
	_forget(&set[WAYS - 1]);
	memmove(&set[1], &set[0], (WAYS - 1) * sizeof(*set));
	set[0] = (struct match) { .user_id = names.user_id, .known = true };
	for (int i = 0; i < NAMES; i++)
		set[0].by[i] = xstrdup(names.by[i]);
	set[0].queue = _match(&names);
	matched++;
	return set[0].queue;
}

static int _leads_to_queue(void *x, void *key)
{
	return queue_of_job(key, x) != SPEC_NONE;
}

extern bool job_is_outside(job_record_t *job_ptr)
{
	if (IS_JOB_PENDING(job_ptr) && job_ptr->part_ptr_list)
		return !list_find_first(job_ptr->part_ptr_list,
					_leads_to_queue, job_ptr) &&
			!_leads_to_queue(job_ptr->part_ptr, job_ptr);
	return !_leads_to_queue(job_ptr->part_ptr, job_ptr);
}

/* ---- local queues, priorities ---- */

static char *_local_key(int queue, const char *name)
{
	char *key = NULL;

	xstrfmtcat(key, "%d/%s", queue, name ? name : "");
	return key;
}

extern int local_queue_hold(int queue, const char *name)
{
	char *key = _local_key(queue, name);
	int number = numbering_take(&local_queues, key);

	xfree(key);
	if (!number)
		return 0;
	if (number >= held.size) {
		int size = 2 * number + 16;

		xrealloc(held.is, size * sizeof(*held.is));
		memset(held.is + held.size, 0, size - held.size);
		held.size = size;
	}
	if (held.is[number])
		numbering_put(&local_queues, number);
	else
		held.times++;
	held.is[number] = true;
	return number;
}

extern uint32_t local_queue_holds(void)
{
	return held.times;
}

extern void local_queues_sweep(void)
{
	struct usage_history h;

	for (int number = 1; number < held.size; number++) {
		if (held.is[number] &&
		    !engine_local_history(ctld.engine, atoi(numbering_text(
				&local_queues, number)), number, 0, &h)) {
			held.is[number] = false;
			numbering_put(&local_queues, number);
		}
	}
}

extern const char *local_queue_name(int number)
{
	const char *text = numbering_text(&local_queues, number);

	return text ? strchr(text, '/') + 1 : NULL;
}

extern int local_queue_take(struct entry *entry, int queue)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	const char *name = job_ptr->account;
	char *key;
	struct number number;
	int before = entry->local_queue;

	if (ctld.conf->local_queue == CONF_LOCAL_USER)
		name = _name_or_number(_user(job_ptr), job_ptr->user_id, &number);
	key = _local_key(queue, name);
	if (!(entry->local_queue = numbering_take(&local_queues, key)))
		error(PREFIX "%pJ: %m", job_ptr);
	numbering_put(&local_queues, before);
	xfree(key);
	if (ctld.conf->spec->queues[queue].by_usage)
		(void) local_queue_hold(queue, name);
	return entry->local_queue;
}

extern void local_queue_release(struct entry *entry)
{
	numbering_put(&local_queues, entry->local_queue);
	entry->local_queue = 0;
}

extern size_t local_queue_count(void)
{
	return numbering_count(&local_queues);
}

extern int64_t priority_of_job(job_record_t *job_ptr, part_record_t *part_ptr)
{
	enum conf_priority source = ctld.conf->priority;

	if (source == CONF_PRIORITY_DEFAULT)
		source = job_ptr->qos_ptr ? CONF_PRIORITY_QOS :
			CONF_PRIORITY_PARTITION;
	switch (source) {
	case CONF_PRIORITY_QOS:
		return job_ptr->qos_ptr ? job_ptr->qos_ptr->priority : 0;
	case CONF_PRIORITY_JOB:
		return job_ptr->priority;
	default:
		return part_ptr ? part_ptr->priority_tier : 0;
	}
}

extern int queue_root(int queue)
{
	const struct spec *spec = ctld.conf->spec;
	int cohort = spec->queues[queue].cohort;

	if (cohort == SPEC_NONE)
		return (int) spec->ncohorts + queue;
	while (spec->cohorts[cohort].parent != SPEC_NONE)
		cohort = spec->cohorts[cohort].parent;
	return cohort;
}
