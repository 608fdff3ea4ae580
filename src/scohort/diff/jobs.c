/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs that there are, under another configuration
 *
 * Both configurations get an engine with the same jobs (side.c), and are asked the same.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "must.h"

/* What happens to a job: members of "summary", and of each user */
enum effect { EVICTABLE, MOVED, UNMATCHED, LATER, EARLIER, EFFECTS };

static const char *const effect_keys[EFFECTS] = {
	"evictable", "moved", "unmatched", "later", "earlier",
};

/* A job that is not over, before and after */
struct job {
	const struct view *v;
	struct standing from, to;
};

struct user {
	const char *name;
	int64_t jobs, counts[EFFECTS];
};

struct comparison {
	struct side from, to;
	struct job *jobs;
	size_t n;
	struct user *users;
	size_t nusers;
	int64_t counts[EFFECTS];
	struct json_object *moves, *evictable, *summary;
};

/* ---- the jobs of both sides ---- */

static void jobs_make(struct comparison *c, const struct view_list *views)
{
	c->jobs = must(calloc(views->n + 1, sizeof(*c->jobs)));
	for (const struct view *v = views->views; v < views->views + views->n; v++) {
		struct job *job = &c->jobs[c->n];

		if (v->state == VIEW_DONE)
			continue;
		c->n++;
		job->v = v;
		side_add(&c->from, v, &job->from, true);
		side_add(&c->to, v, &job->to,
			 !c->from.conf->observe && job->from.queue != SPEC_NONE);
	}
}

static void lines_make(struct comparison *c)
{
	for (struct job *job = c->jobs; job < c->jobs + c->n; job++) {
		side_wait(&c->from, job->v, &job->from);
		side_wait(&c->to, job->v, &job->to);
	}
	for (struct job *job = c->jobs; job < c->jobs + c->n; job++) {
		side_place(&c->from, &job->from);
		side_place(&c->to, &job->to);
	}
}

/* ---- who could be evicted, and for whom ---- */

static void evictable_find(struct comparison *c)
{
	struct json_object *list = json_add_list(c->summary, "evictableFor"), *o;

	for (size_t i = 0; !c->from.conf->observe && i < c->from.spec->nqueues; i++)
		side_survey(&c->from, (int) i);
	for (size_t i = 0; !c->to.conf->observe && i < c->to.spec->nqueues; i++) {
		int64_t n = 0;

		side_survey(&c->to, (int) i);
		for (const struct job *job = c->jobs; job < c->jobs + c->n; job++)
			n += job->to.by == (int) i && !job->from.evictable;
		if (!n)
			continue;
		o = json_append(list);
		json_add_text(o, "clusterQueue", c->to.spec->queues[i].name);
		json_add_number(o, "jobs", n);
	}
}

/* ---- which queues borrow ---- */

static void borrower_find(const struct comparison *c, struct json_object *list, int queue,
			  const struct spec_quota *quota)
{
	const struct spec *spec = c->to.spec, *before = c->from.spec;
	const char *name = spec->queues[queue].name, *flavor = spec->flavors[quota->flavor];
	const char *resource = spec->resources[quota->resource];
	struct json_object *o;
	struct ledger l;

	if (engine_ledger(c->to.engine, false, queue, quota->flavor, quota->resource, &l)
	    || !l.borrowed
	    || engine_borrows(c->from.engine, spec_find_queue(before, name),
			      spec_find_flavor(before, flavor),
			      spec_find_resource(before, resource)))
		return;
	o = json_append(list);
	json_add_text(o, "clusterQueue", name);
	json_add_text(o, "flavor", flavor);
	json_add_text(o, "resource", resource);
	json_add_number(o, "borrowed", l.borrowed);
}

/* ---- what happens to a job ---- */

static struct json_object *job_add(struct json_object *list, const struct view *v)
{
	struct json_object *o = json_append(list);
	char buf[256];

	json_add_text(o, "jobId", view_name(v, buf, sizeof(buf)));
	return o;
}

/* NULL: none */
static const char *queue_name(const struct side *s, int queue)
{
	return queue == SPEC_NONE ? NULL : s->spec->queues[queue].name;
}

/* EFFECTS: its queue and place are as before */
static enum effect move_find(struct comparison *c, const struct job *job)
{
	const char *from = queue_name(&c->from, job->from.queue);
	const char *to = queue_name(&c->to, job->to.queue);
	struct json_object *o;

	if (from == to || (from && to && !strcmp(from, to)))
		return job->to.place > job->from.place ? LATER
		       : job->to.place < job->from.place ? EARLIER : EFFECTS;
	o = job_add(c->moves, job->v);
	json_add_text(o, "state", job->v->state == VIEW_PENDING ? "waiting" : "running");
	json_add_text(o, "from", from);
	json_add_text(o, "to", to);
	return to ? MOVED : UNMATCHED;
}

static bool evictable_add(struct comparison *c, const struct job *job)
{
	if (!job->to.evictable || job->from.evictable)
		return false;
	json_add_text(job_add(c->evictable, job->v), "clusterQueue",
		      queue_name(&c->to, job->to.queue));
	return true;
}

/* ---- whose jobs they are ---- */

static struct user *user_get(struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->nusers; i++)
		if (!strcmp(c->users[i].name, name))
			return &c->users[i];
	c->users = must_grow(c->users, c->nusers, sizeof(*c->users));
	c->users[c->nusers] = (struct user) { .name = must(strdup(name)) };
	return &c->users[c->nusers++];
}

/* That a job goes up in its line concerns nobody. */
static void effects_count(struct comparison *c, const struct job *job)
{
	enum effect effects[] = { move_find(c, job), evictable_add(c, job) ? EVICTABLE : EFFECTS };
	struct user *user = NULL;

	for (size_t i = 0; i < 2; i++) {
		if (effects[i] == EFFECTS)
			continue;
		c->counts[effects[i]] += job->v->tasks;
		if (effects[i] == EARLIER)
			continue;
		if (!user)
			(user = user_get(c, view_user(job->v)))->jobs += job->v->tasks;
		user->counts[effects[i]] += job->v->tasks;
	}
}

static int by_jobs(const void *x, const void *y)
{
	const struct user *a = x, *b = y;

	return a->jobs != b->jobs ? (a->jobs < b->jobs) - (a->jobs > b->jobs)
	       : strcmp(a->name, b->name);
}

static void counts_tell(struct json_object *o, const int64_t *counts)
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

		json_add_text(o, "user", c->users[i].name);
		json_add_number(o, "jobs", c->users[i].jobs);
		counts_tell(o, c->users[i].counts);
		free((char *) c->users[i].name);
	}
	free(c->users);
}

/* ---- all ---- */

void diff_jobs(struct json_object *o, const struct conf *from, const struct conf *to,
	       const struct published *p, const struct cluster *cluster)
{
	struct comparison c = { .moves = json_add_list(o, "jobs"),
				.summary = json_object_new_object() };
	struct json_object *borrowers = json_add_list(o, "borrowers");

	side_open(&c.from, from, p, cluster);
	side_open(&c.to, to, p, cluster);
	c.evictable = json_add_list(o, "evictable");
	jobs_make(&c, &cluster->jobs);
	for (size_t i = 0; i < to->spec->nqueues; i++)
		for (size_t k = 0; k < to->spec->queues[i].nquotas; k++)
			borrower_find(&c, borrowers, (int) i, &to->spec->queues[i].quotas[k]);
	evictable_find(&c);
	lines_make(&c);
	for (size_t i = 0; i < c.n; i++)
		effects_count(&c, &c.jobs[i]);
	counts_tell(c.summary, c.counts);
	json_object_object_add(o, "summary", c.summary);
	users_tell(&c, json_add_list(o, "users"));
	free(c.jobs);
	engine_destroy(c.from.engine);
	engine_destroy(c.to.engine);
}
