/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs that there are, under another configuration
 *
 * Both configurations get an engine with the same jobs (side.h), and both are asked the same.
 * Protected times count as over.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "diff/side.h"
#include "input/json_members.h"
#include "must.h"

/* What happens to a job; in the order of the text */
enum effect { EVICTABLE, DRAINED, MOVED, UNMATCHED, LATER, EARLIER, EFFECTS };

/* As members of "summary" and of a user. People come first who lose most. */
static const char *const effect_keys[EFFECTS] = {
	"evictable", "drained", "moved", "unmatched", "later", "earlier",
};

struct affected {
	const char *user;
	int64_t jobs, counts[EFFECTS];
};

struct comparison {
	struct side from, to;
	struct job *jobs;
	size_t n;
	int64_t *evictable_for;		/* by queue of `to` */
	struct affected *users;
	size_t nusers;
	int64_t counts[EFFECTS], moved_running, unknown;
	struct json_object *moves, *evictable, *places;
};

/* ---- the jobs of both sides ---- */

/* What is in force tells of PreemptMode: a job with a wrong one has no such time. It does not
 * for jobs outside all queues, and while quota is only observed. */
static bool is_exempt(const struct comparison *c, const struct job *job)
{
	return c->from.conf->observe || job->from.queue == SPEC_NONE
	       ? !class_evicts(c->from.classes, job->v) : !job->v->preemptable;
}

/* Another component of the same job, of those before this one; or the job itself */
static const struct job *component_of(const struct comparison *c, const struct job *job)
{
	for (const struct job *other = c->jobs; job->v->het_id && other < job; other++)
		if (other->v->het_id == job->v->het_id && other->from.work && other->to.work)
			return other;
	return job;
}

static void jobs_make(struct comparison *c, const struct view_list *views)
{
	c->jobs = must(calloc(views->n + 1, sizeof(*c->jobs)));
	for (const struct view *v = views->views; v < views->views + views->n; v++) {
		struct job *job = &c->jobs[c->n];
		const struct job *other;

		if (v->state == VIEW_DONE)
			continue;
		c->n++;
		*job = (struct job) { .v = v, .by = SPEC_NONE };
		other = component_of(c, job);
		side_run(&c->from, job, &job->from, !v->preemptable && !c->from.conf->observe,
			 other->from.work);
		side_run(&c->to, job, &job->to, is_exempt(c, job), other->to.work);
	}
	side_add_rest(&c->to, &c->from);
	side_add_rest(&c->from, &c->from);
}

/* ---- who could be evicted ---- */

static void before_note(void *arg, struct job *job, int queue)
{
	(void) arg;
	(void) queue;
	job->from.evictable = true;
}

static void after_note(void *arg, struct job *job, int queue)
{
	struct comparison *c = arg;

	if (!job->from.evictable && !job->from.drained && job->by != queue)
		c->evictable_for[queue]++;
	job->by = queue;
	job->to.evictable = true;
}

static void survey(struct side *s, void (*f)(void *arg, struct job *job, int queue), void *arg)
{
	for (size_t i = 0; !s->conf->observe && i < s->spec->nqueues; i++)
		side_survey(s, (int) i, f, arg);
}

/* ---- which queues borrow ---- */

static bool borrows(const struct side *s, const char *queue, const char *flavor,
		    const char *resource)
{
	return engine_borrows(s->engine, spec_find_queue(s->spec, queue),
			      spec_find_flavor(s->spec, flavor),
			      spec_find_resource(s->spec, resource));
}

static void borrower_find(const struct comparison *c, struct json_object *list, int queue,
			  const struct spec_quota *quota)
{
	const struct spec *spec = c->to.spec;
	const char *name = spec->queues[queue].name, *flavor = spec->flavors[quota->flavor];
	const char *resource = spec->resources[quota->resource];
	struct json_object *o;
	struct ledger l;

	if (engine_ledger(c->to.engine, false, queue, quota->flavor, quota->resource, &l)
	    || !l.borrowed || borrows(&c->from, name, flavor, resource))
		return;
	o = json_append(list);
	json_add_text(o, "clusterQueue", name);
	json_add_text(o, "flavor", flavor);
	json_add_text(o, "resource", resource);
	json_add_number(o, "borrowed", l.borrowed);
}

static void borrowers_find(const struct comparison *c, struct json_object *list)
{
	for (size_t i = 0; i < c->to.spec->nqueues; i++) {
		const struct spec_queue *q = &c->to.spec->queues[i];

		for (size_t k = 0; k < q->nquotas; k++)
			borrower_find(c, list, (int) i, &q->quotas[k]);
	}
}

/* ---- what happens to a job ---- */

static struct json_object *job_add(struct json_object *list, const struct view *v)
{
	struct json_object *o = json_append(list);
	char buf[256];

	json_add_text(o, "jobId", view_name(v, buf, sizeof(buf)));
	return o;
}

static void move_add(struct comparison *c, const struct job *job, const char *from, const char *to)
{
	struct json_object *o = job_add(c->moves, job->v);
	bool waits = job->v->state == VIEW_PENDING;

	json_add_text(o, "state", waits ? "waiting" : "running");
	json_add_text(o, "from", *from ? from : NULL);
	json_add_text(o, "to", *to ? to : NULL);
	if (!waits && *to)
		c->moved_running += job->v->tasks;
}

static void place_add(struct comparison *c, const struct job *job, const char *queue)
{
	struct json_object *o = job_add(c->places, job->v);

	json_add_text(o, "clusterQueue", queue);
	json_add_number(o, "from", job->from.place);
	json_add_number(o, "to", job->to.place);
}

/* Bits of enum effect; adds the job to the lists */
static unsigned effects_find(struct comparison *c, const struct job *job)
{
	const char *from = side_queue_name(&c->from, job->from.queue);
	const char *to = side_queue_name(&c->to, job->to.queue);
	unsigned effects = 0;

	if (strcmp(from, to)) {
		move_add(c, job, from, to);
		effects |= 1u << (*to ? MOVED : UNMATCHED);
	} else if (job->from.place != job->to.place) {
		place_add(c, job, to);
		effects |= 1u << (job->from.place < job->to.place ? LATER : EARLIER);
	}
	if (job->v->state != VIEW_PENDING && (job->to.evictable || job->to.drained)
	    && !job->from.evictable && !job->from.drained) {
		json_add_text(job_add(c->evictable, job->v), "clusterQueue", to);
		effects |= 1u << (job->to.drained ? DRAINED : EVICTABLE);
	}
	c->unknown += job->to.unknown;
	return effects;
}

/* ---- whose jobs they are ---- */

static struct affected *user_get(struct comparison *c, const char *user)
{
	for (size_t i = 0; i < c->nusers; i++)
		if (!strcmp(c->users[i].user, user))
			return &c->users[i];
	c->users = must_grow(c->users, c->nusers, sizeof(*c->users));
	c->users[c->nusers] = (struct affected) { .user = must(strdup(user)) };
	return &c->users[c->nusers++];
}

/* That others go first no more concerns nobody. */
static void effects_count(struct comparison *c, const struct job *job, unsigned effects)
{
	struct affected *user = NULL;

	if (effects & ~(1u << EARLIER)) {
		user = user_get(c, view_user(job->v));
		user->jobs += job->v->tasks;
	}
	for (int i = 0; i < EFFECTS; i++) {
		if (!(effects & 1u << i))
			continue;
		c->counts[i] += job->v->tasks;
		if (user)
			user->counts[i] += job->v->tasks;
	}
}

static int by_jobs(const void *x, const void *y)
{
	const struct affected *a = x, *b = y;

	if (a->jobs != b->jobs)
		return a->jobs < b->jobs ? 1 : -1;
	return strcmp(a->user, b->user);
}

static void counts_add(struct json_object *o, const int64_t *counts)
{
	for (int i = 0; i < EFFECTS; i++)
		json_add_number(o, effect_keys[i], counts[i]);
}

static void users_tell(struct comparison *c, struct json_object *list)
{
	if (c->nusers)
		qsort(c->users, c->nusers, sizeof(*c->users), by_jobs);
	for (size_t i = 0; i < c->nusers; i++) {
		struct json_object *o = json_append(list);

		json_add_text(o, "user", c->users[i].user);
		json_add_number(o, "jobs", c->users[i].jobs);
		counts_add(o, c->users[i].counts);
		free((char *) c->users[i].user);
	}
	free(c->users);
}

static void summary_tell(const struct comparison *c, struct json_object *o)
{
	struct json_object *list;

	counts_add(o, c->counts);
	json_add_number(o, "movedRunning", c->moved_running);
	json_add_number(o, "flavorUnknown", c->unknown);
	list = json_add_list(o, "evictableFor");
	for (size_t i = 0; i < c->to.spec->nqueues; i++) {
		struct json_object *queue;

		if (!c->evictable_for[i])
			continue;
		queue = json_append(list);
		json_add_text(queue, "clusterQueue", c->to.spec->queues[i].name);
		json_add_number(queue, "jobs", c->evictable_for[i]);
	}
}

/* ---- all ---- */

static void lines_make(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		side_wait(&c->from, &c->jobs[i], &c->jobs[i].from);
		side_wait(&c->to, &c->jobs[i], &c->jobs[i].to);
	}
	for (size_t i = 0; i < c->n; i++) {
		standing_place(&c->jobs[i].from);
		standing_place(&c->jobs[i].to);
	}
}

void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct view_list *views,
	       const struct classes *classes)
{
	struct comparison c = { .n = 0 };
	struct json_object *summary = json_object_new_object();

	c.evictable_for = must(calloc(to->spec->nqueues + 1, sizeof(*c.evictable_for)));
	side_open(&c.from, from, p, classes);
	side_open(&c.to, to, p, classes);
	jobs_make(&c, views);
	c.moves = json_add_list(o, "jobs");
	borrowers_find(&c, json_add_list(o, "borrowers"));
	c.evictable = json_add_list(o, "evictable");
	c.places = json_add_list(o, "places");
	survey(&c.from, before_note, NULL);
	survey(&c.to, after_note, &c);
	lines_make(&c);
	for (size_t i = 0; i < c.n; i++)
		effects_count(&c, &c.jobs[i], effects_find(&c, &c.jobs[i]));
	json_object_object_add(o, "summary", summary);
	summary_tell(&c, summary);
	users_tell(&c, json_add_list(o, "users"));
	free(c.jobs);
	free(c.evictable_for);
	side_close(&c.from);
	side_close(&c.to);
}
