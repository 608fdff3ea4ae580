/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - random worlds, all events, and what the books must say
 *
 * The model keeps a plain record of every workload beside the engine. Each
 * event draws from its own random numbers, so that any part of a sequence can
 * be played, too. An event that makes no sense in its place does nothing.
 */
#ifndef COHORT_TEST_MODEL_H
#define COHORT_TEST_MODEL_H

#include "world.h"

#define MODEL_JOBS 24
#define MODEL_FLAVORS 2
#define MODEL_RESOURCES 2
#define MODEL_PAIRS (MODEL_FLAVORS * MODEL_RESOURCES)
#define MODEL_PODSETS 2
#define MODEL_NODES 12			/* at most: cohorts, then queues */
#define MODEL_LOCALS 3			/* local queues of each queue */

struct model_job {
	struct workload *w;		/* NULL: there is none */
	struct workload_desc desc;
	struct podset_desc podsets[MODEL_PODSETS];
	struct request requests[MODEL_PODSETS][MODEL_RESOURCES];
	int64_t by_flavor[MODEL_PODSETS][MODEL_PAIRS];
	bool ineligible[MODEL_PODSETS][MODEL_FLAVORS];
	/* waiting */
	bool blocked;
	bool owns;
	struct charge claim[MODEL_PAIRS];
	size_t nclaim;
	bool claim_fixed;		/* as non-preemptible */
	uint64_t claimed;		/* order in which they came to own
					 * quota */
	uint64_t bond;			/* 0: none */
	uint64_t bonded;		/* order in which they joined */
	enum bond_kind kind;
	int64_t could_evict;		/* since then, as far as plans have said; 0 */
	/* running */
	bool running, evicting;
	bool fixed;			/* non-preemptible in this run */
	struct charge charges[MODEL_PAIRS];
	size_t ncharges;
	int64_t since, exempt, cost;
	uint64_t group;			/* elastic; 0: none */
	int64_t min_available;
	uint64_t unit;			/* 0: none */
};

struct model {
	uint64_t random;
	struct spec *spec;
	struct engine *engine;
	struct model_job jobs[MODEL_JOBS];
	uint64_t number;		/* of claims, bonds, units */
	int64_t now;
	/* what was used lately, up to now; history.c */
	double past[MODEL_NODES][MODEL_RESOURCES];
	double local_past[MODEL_NODES][MODEL_LOCALS][MODEL_RESOURCES];
	bool told;			/* events are printed */
	char error[512];		/* the first thing that is wrong, or "" */
};

/* ---- fixed.c ---- */

/* A running job becomes preemptible or not */
void model_fix(struct model *m, struct model_job *job);
void model_judge_fixed(struct model *m);
/* The cap holds if that running job is non-preemptible, too. */
bool model_cap_admits(const struct model *m, const struct model_job *job);

/* In an engine that was built anew runs, and claims for runs, are settled as they were. */

/* ---- members.c ---- */

bool model_same_members(const struct model_job *a, const struct model_job *b);
/* Would a start of it be non-preemptible? */
bool model_is_capped(const struct model *m, const struct model_job *job);
/* How many members may be is told with each; the last word holds. */
void model_tell_members(struct model *m, const struct model_job *job);
/* Does a member own quota? Whether as a non-preemptible one was decided then, by
 * what the others were. */
bool model_members_own(const struct model *m);
/* A non-preemptible member is none any more, or ends */
void model_settle_members(struct model *m, const struct model_job *of);

/* ---- base.c ---- */

uint64_t draw(struct model *m, uint64_t n);
bool chance(struct model *m, uint64_t percent);

/* Only the first message about what is wrong is kept. */
void model_fail(struct model *m, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints what happens, if that is wanted */
void model_note(struct model *m, const struct model_job *job, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An event that the engine has to take */
void model_need(struct model *m, const struct model_job *job, int rc, const char *event);

/* Any place for a job */
struct model_job *model_draw(struct model *m);

void model_leave_bond(struct model *m, struct model_job *job);
void model_forget_waiting(struct model *m, struct model_job *job);
void model_forget_running(struct model_job *job);

/* spec.c: a random forest of queues */
struct spec *model_spec(struct model *m);
void model_spec_tell(const struct model *m);

/* desc.c: what a random workload asks for, in its job */
void model_describe(struct model *m, struct model_job *job);
void model_note_desc(struct model *m, const struct model_job *job, const char *event);
bool model_asks_same(const struct model_job *a, const struct model_job *b);

/* event.c: something happens, or nothing for a while. Is it time to compare? */
bool model_event(struct model *m, uint64_t seed);

/* follow.c: the plan is carried out, as slurmctld would */
void model_follow(struct model *m);

/* What an event means for the records; event.c */
void model_start(struct model *m, struct model_job *job,
		 const struct charge *charges, size_t n, int64_t since);
void model_own(struct model *m, struct model_job *job, const struct nomination *nom);
void model_remove(struct model *m, struct model_job *job);

/* `task`, a free place, becomes one waiting task of the array */
void model_split(struct model *m, struct model_job *array, struct model_job *task);

/* history.c: what was used lately. It gets later; a job starts; it is what the engine says. */
bool model_has_history(const struct model *m);
void model_advance(struct model *m, int64_t now);

/* True: nothing else happens for as long as the plan says that it holds. An event of its
 * tree would hide that it does not. */
bool model_pass_time(struct model *m);
void model_start_count(struct model *m, const struct model_job *job);
void model_histories_judge(struct model *m);

/* again.c: an engine built anew from the records says the same */
void model_compare(struct model *m);

/* rules.c: what must hold of every plan, bonds and units above all */
void model_judge(struct model *m);

#endif /* COHORT_TEST_MODEL_H */
