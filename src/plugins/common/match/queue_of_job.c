/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.c - which queue a job is of, and with which priority
\*****************************************************************************/
#include "match/match.h"

#include "lib/numbering.h"
#include "query.h"

/* A number for each account (or user) of a queue that entries use */
static struct numbering local_queues;

/* Numbers that are in use for what was used, by number */
static struct {
	bool *is;
	int size;
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

	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if ((part_ptr = find_part_record(name)))
			list_append(partitions, part_ptr);
	}
	xfree(names);
	list_sort(partitions, priority_sort_part_tier);
	return partitions;
}

/* ---- names ---- */

/* What rules of cohort.yaml compare. number: room for a user's number, as long as the names
 * are used. No look-up of names here: it could block, under slurmctld's locks. */
static void _job_names(job_record_t *job_ptr, const part_record_t *part_ptr,
		       struct conf_job *names, char *number, size_t size)
{
	const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr;

	*names = (struct conf_job) {
		.partition = part_ptr ? part_ptr->name : NULL,
		.qos = job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL,
		.account = job_ptr->account,
		.user = assoc && assoc->user ? assoc->user : job_ptr->user_name,
	};
	if (names->user)
		return;
	snprintf(number, size, "%u", job_ptr->user_id);
	names->user = number;
}

/* ---- the queue ---- */

/* What the rules compare, and the queue that they led to. A site has hundreds of rules, and
 * slurmctld asks for the queues of the same few partitions, QOS, accounts and users over and
 * over: in each comparison of a sort, for each candidate for preemption.
 * A hash alone is not enough: a user may choose an account whose hash is that of another. */
enum { BY_PARTITION, BY_QOS, BY_ACCOUNT, BY_USER, NAMES };

#define MATCHES 4096
#define NEAR 8				/* places; are all in use, the first makes room */
static struct match {
	bool known;
	uint64_t key;			/* a hash of the names */
	char *by[NAMES];
	int queue;
} matches[MATCHES];

static bool _is_of(const struct match *match, uint64_t key, const char *const *by)
{
	bool is = match->key == key;

	for (int i = 0; is && (i < NAMES); i++)
		is = !xstrcmp(match->by[i], by[i]);
	return is;
}

/* Where it is, or is to be */
static struct match *_place_of(uint64_t key, const char *const *by)
{
	size_t first = hash_place(key, MATCHES);

	for (size_t i = 0; i < NEAR; i++) {
		struct match *match = &matches[(first + i) % MATCHES];

		if (!match->known || _is_of(match, key, by))
			return match;
	}
	return &matches[first];
}

static void _forget(struct match *match)
{
	for (int i = 0; i < NAMES; i++)
		xfree(match->by[i]);
	match->known = false;
}

static int _queue_of(job_record_t *job_ptr, const part_record_t *part_ptr, bool keep)
{
	struct match *match;
	struct conf_job job;
	char number[16];
	uint64_t key = 0;
	int queue;

	_job_names(job_ptr, part_ptr, &job, number, sizeof(number));
	const char *const by[NAMES] = {
		[BY_PARTITION] = job.partition, [BY_QOS] = job.qos,
		[BY_ACCOUNT] = job.account, [BY_USER] = job.user,
	};
	for (int i = 0; i < NAMES; i++)
		key = fingerprint_mix_text(key, by[i]);
	match = _place_of(key, by);
	if (match->known && _is_of(match, key, by))
		return match->queue;
	queue = conf_match_queue(ctld.conf, job.partition, job.qos, job.account, job.user);
	if (!keep)
		return queue;
	_forget(match);
	match->known = true;
	match->key = key;
	for (int i = 0; i < NAMES; i++)
		match->by[i] = xstrdup(by[i]);
	match->queue = queue;
	count_work(WORK_MATCH);
	return queue;
}

extern int queue_of_job_seen(job_record_t *job_ptr, part_record_t *part_ptr)
{
	return _queue_of(job_ptr, part_ptr, false);
}

extern int queue_of_job(job_record_t *job_ptr, part_record_t *part_ptr)
{
	return _queue_of(job_ptr, part_ptr, true);
}

static int _leads_to_queue(void *x, void *key)
{
	return queue_of_job(key, x) != SPEC_NONE;
}

extern bool job_is_outside(job_record_t *job_ptr)
{
	if (IS_JOB_PENDING(job_ptr) && job_ptr->part_ptr_list &&
	    list_find_first(job_ptr->part_ptr_list, _leads_to_queue, job_ptr))
		return false;
	return !_leads_to_queue(job_ptr->part_ptr, job_ptr);
}

/* ---- can a job be preempted? ---- */

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
	_job_names(job_ptr, part_ptr, &names, number, sizeof(number));
	return conf_is_nonpreemptible(ctld.conf, queue, &names, priority,
				      preemptibility_word(job_ptr));
}

/* ---- local queues ---- */

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
		held.size = 2 * number + 16;
		xrecalloc(held.is, held.size, sizeof(*held.is));
	}
	if (held.is[number])
		numbering_put(&local_queues, number);
	else
		ctld.local_holds++;
	held.is[number] = true;
	return number;
}

static void _let_go(int number)
{
	held.is[number] = false;
	numbering_put(&local_queues, number);
}

extern void queue_forget_matches(void)
{
	for (size_t i = 0; i < MATCHES; i++)
		_forget(&matches[i]);
	for (int number = 1; number < held.size; number++) {
		if (held.is[number])
			_let_go(number);
	}
}

extern void local_queues_sweep(void)
{
	struct usage_history h;

	for (int number = 1; number < held.size; number++) {
		if (held.is[number] && !engine_local_history(ctld.engine,
					  atoi(numbering_text(&local_queues, number)), number,
					  0, &h))
			_let_go(number);
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
	int before = entry->local_queue;
	const char *name = job_ptr->account;
	struct conf_job names;
	char number[16], *key;

	if (ctld.conf->local_queue == CONF_LOCAL_USER) {
		_job_names(job_ptr, NULL, &names, number, sizeof(number));
		name = names.user;
	}
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
