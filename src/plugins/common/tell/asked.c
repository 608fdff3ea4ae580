/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asked.c - answers to sbatch --test-only: what sbatch can't show, for scohort whatif
 *
 *  sbatch shows time, nodes and victims. Other facts are published as "asked":
 *  which cluster queue would be charged how much, by which rules the victims
 *  would go, what would be borrowed then, or what is missing. The list has the
 *  last answers. An answer is found by the id that the record of the question
 *  had, or by the token that scohort whatif puts into its mail address (a
 *  question sends no mail), as sbatch shows no id for a question that is
 *  refused.
 *
 *  All users may read the file: it has no ids of jobs and no names of users.
\*****************************************************************************/
#include "tell/tell.h"

#include "state/json.h"
#include "match/match.h"
#include "placement/place.h"

#include "query.h"

#define ANSWERS_MAX 32
#define TOKEN "scohort-whatif-"
#define TOKEN_MAX 63

static struct json_object *answers;	/* the last ones, oldest first */

/* ---- what would be used ---- */

/* The entry of that queue and pair; NULL: the list has none */
static struct json_object *_find(struct json_object *list, int queue, const struct charge *c)
{
	const struct spec *spec = ctld.conf->spec;

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		if (!xstrcmp(json_text_of(o, "clusterQueue"), spec->queues[queue].name) &&
		    json_is_pair(o, spec, c->flavor, c->resource))
			return o;
	}
	return NULL;
}

static void _change(struct json_object *list, int queue, const struct charge *c, int64_t amount)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = _find(list, queue, c);
	struct ledger l;
	int64_t used;

	if (engine_ledger(ctld.engine, false, queue, c->flavor, c->resource, &l))
		return;
	used = (o ? json_number(o, "used") : l.used) + amount;
	if (!o) {
		o = json_append(list);
		json_add_pair(o, spec, c->flavor, c->resource);
		json_add_text(o, "clusterQueue", spec->queues[queue].name);
	}
	json_add_number(o, "used", used);
	json_add_number(o, "borrowed", MAX(used - l.nominal, 0));
}

static struct json_object *_after_json(const struct place *p)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < p->ncharges; i++) {
		if (p->charges[i].amount)
			_change(list, workload_queue(p->entry->work), &p->charges[i],
				p->charges[i].amount);
	}
	for (size_t i = 0; i < p->nvictims; i++) {
		const struct workload *victim = p->victims[i].workload;
		const struct charge *charges;
		size_t n;

		charges = workload_charges(victim, &n);
		for (size_t k = 0; k < n; k++)
			_change(list, workload_queue(victim), &charges[k], -charges[k].amount);
	}
	return list;
}

static struct json_object *_charges_json(const struct place *p)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < p->ncharges; i++) {
		const struct charge *c = &p->charges[i];
		struct json_object *o;

		if (!c->amount)
			continue;
		o = json_append(list);
		json_add_pair(o, ctld.conf->spec, c->flavor, c->resource);
		json_add_number(o, "amount", c->amount);
	}
	return list;
}

/* In the order in which sbatch shows their ids */
static struct json_object *_victims_json(const struct place *p)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < p->nvictims; i++) {
		const struct victim *v = &p->victims[i];
		struct json_object *o;

		if (workload_evicting(v->workload))
			continue;
		o = json_append(list);
		json_add_text(o, "clusterQueue", spec->queues[workload_queue(v->workload)].name);
		json_add_text(o, "rule", victim_reason_name(v->reason));
	}
	return list;
}

/* ---- answers ---- */

/* The user chooses the address and may write anything there, and all users may
 * read the file: only the form that scohort makes, three numbers
 * (whatif/ask.c), is published. */
static const char *_token(const job_record_t *job_ptr)
{
	const char *mail = job_ptr->mail_user;
	size_t n = sizeof(TOKEN) - 1;

	if (xstrncmp(mail, TOKEN, n))
		return NULL;
	n += strspn(mail + n, "0123456789-");
	return (mail[n] || (n > TOKEN_MAX)) ? NULL : mail;
}

static struct json_object *_answer(const job_record_t *job_ptr, int queue, const char *verdict)
{
	struct json_object *o = json_object_new_object();

	json_add_number(o, "jobId", job_ptr->job_id);
	json_add_text(o, "token", _token(job_ptr));
	json_add_number(o, "time", time(NULL));
	json_add_text(o, "partition", job_ptr->part_ptr ? job_ptr->part_ptr->name : NULL);
	json_add_text(o, "clusterQueue", queue == SPEC_NONE ? NULL :
		     ctld.conf->spec->queues[queue].name);
	json_add_text(o, "verdict", verdict);
	return o;
}

static void _keep(struct json_object *answer)
{
	if (!answers)
		answers = json_object_new_array();
	if (json_object_array_length(answers) == ANSWERS_MAX)
		json_object_array_del_idx(answers, 0, 1);
	json_object_array_add(answers, answer);
}

static void _kind(struct json_object *o, const struct place *p)
{
	json_add_bool(o, "nonPreemptible", workload_is_nonpreemptible(p->entry->work));
}

extern void asked_goes(const struct place *p)
{
	struct json_object *o = _answer(p->job_ptr, workload_queue(p->entry->work),
					p->nvictims ? "preempt" : "start");

	json_add_number(o, "start", p->job_ptr->start_time);
	_kind(o, p);
	json_add(o, "charges", _charges_json(p));
	json_add(o, "victims", _victims_json(p));
	json_add(o, "after", _after_json(p));
	_keep(o);
}

/* What it asks for on nodes: scohort tells what of it is missing */
static struct json_object *_wants_json(const struct place *p)
{
	const job_record_t *job_ptr = p->job_ptr;
	struct json_object *o = json_object_new_object();

	json_add_number(o, "nodes", p->min_nodes);
	json_add_bool(o, "wholeNodes", compat_whole_node(job_ptr->details));
	json_add_text(o, "tres", job_ptr->tres_fmt_req_str);
	json_add_text(o, "tresPerJob", job_ptr->tres_per_job);
	json_add_text(o, "tresPerNode", job_ptr->tres_per_node);
	return o;
}

extern void asked_waits(const struct place *p, time_t start, bool later, bool unsure, bool fits)
{
	struct json_object *o = _answer(p->job_ptr, workload_queue(p->entry->work),
					later ? "later" : "wait");
	char reason[REASON_SIZE];

	json_add_number(o, "start", start);
	_kind(o, p);
	if (!later) {
		reason_text(nearest_entry(p->entry), reason);
		json_add_text(o, "reason", reason);
		json_add(o, "wants", _wants_json(p));
	}
	json_add(o, "victims", _victims_json(p));
	json_add_bool(o, "victimsUnknown", unsure);
	json_add_bool(o, "fitsNodes", fits);
	_keep(o);
}

extern void asked_apart(job_record_t *job_ptr)
{
	int queue = queue_of_job(job_ptr, job_ptr->part_ptr);

	_keep(_answer(job_ptr, queue, queue == SPEC_NONE ? "outside" : "held"));
}

/* Many questions may be refused at once: those without a token, whose answers
 * can't be found, push no other answers out. */
extern bool asked_postponed(const job_record_t *job_ptr)
{
	if (!_token(job_ptr))
		return false;
	_keep(_answer(job_ptr, SPEC_NONE, "postponed"));
	return true;
}

extern void asked_unfinished(const job_record_t *job_ptr)
{
	_keep(_answer(job_ptr, SPEC_NONE, "unfinished"));
}

/* Copies, as the document is written without the lock */
extern struct json_object *asked_json(void)
{
	struct json_object *copy = NULL;

	if (!answers || json_object_deep_copy(answers, &copy, NULL))
		return json_object_new_array();
	return copy;
}
