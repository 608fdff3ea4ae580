/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test search.c - which changes are found, and with how many questions
 */
#include "fit/fit.h"
#include "test/outside.h"

/* What slurmctld lets start now; 0: it does not matter */
struct world {
	int64_t tasks, nodes, cpus, gpus, memory, task_gpus;
	const char *time, *partition;	/* the only one that starts, */
	bool no_constraint;
	int64_t later;			/* a start for all others, */
	size_t victims;
	bool order;			/* all questions stand behind other jobs */
	size_t stop;			/* no answer from this question on */
	size_t asked;
};

static bool is_at_most(const struct fit_request *r, enum fit_field field, int64_t most)
{
	return !most || request_number(r, field) <= most;
}

static bool is_text(const struct fit_request *r, enum fit_field field, const char *only)
{
	return !only || !strcmp(r->value[field], only);
}

static void ask(void *arg, const struct fit_request *r, struct fit_answer *a)
{
	struct world *w = arg;

	a->stop = ++w->asked == w->stop;
	a->behind = w->order;
	a->now = !a->stop && !w->order && is_at_most(r, FIT_TASKS, w->tasks)
		 && is_at_most(r, FIT_NODES, w->nodes) && is_at_most(r, FIT_CPUS, w->cpus)
		 && is_at_most(r, FIT_GPUS, w->gpus) && is_at_most(r, FIT_MEM, w->memory)
		 && is_at_most(r, FIT_GPUS_TASK, w->task_gpus)
		 && is_text(r, FIT_TIME, w->time) && is_text(r, FIT_PARTITION, w->partition)
		 && (!w->no_constraint || !*r->value[FIT_CONSTRAINT]);
	a->starts = a->now || w->later;
	a->start = a->now ? 1000 : w->later;
	a->victims = w->victims;
}

static const struct {
	const char *wait;
	const char *job;	/* "ntasks=4 nodes=2", as fields below */
	struct world world;
	const char *found;	/* words, "; " between; "!": by quota alone */
	size_t questions;
	int64_t estimate;
	bool evicted, stopped;
} cases[] = {
	/* no questions at all, and no more of them */
	{ "pos=1/1,wait=pass,cq=a", "ntasks=4", { .tasks = 1 }, "", .questions = 0 },
	{ "pos=1/1,wait=preempting(2),cq=a", "ntasks=4", { .tasks = 1 }, "", .questions = 0 },
	{ "pos=1/1,wait=quota(cpu@x),need=1,free=0,cq=a", "ntasks=1", { .tasks = 0 }, "", .questions = 0 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=64", { .tasks = 1, .stop = 1 }, "", .questions = 1,
	  .stopped = true },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=64", { .tasks = 30, .stop = 3 },
	  "ntasks=1 instead of 64", .questions = 3, .stopped = true },
	/* nothing helps: each size is asked for once, as small as can be */
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=64 cpus=4 gpus=8 nodes=4 mem=900 time=1:00:00",
	  { .time = "never" }, "", .questions = 7 },
	{ "pos=1/1,wait=quota(cpu@x),need=8,free=0,cq=a", "ntasks=8", { .partition = "no" }, "",
	  .questions = 1 },
	{ "pos=1/1,wait=quota(gres/gpu@x),need=8,free=2,cq=a", "gpus=a100:4,b100:4", { .gpus = 2 },
	  "", .questions = 0 },
	/* what has quota is asked for first, and is enough */
	{ "pos=1/1,wait=quota(cpu@x),need=8,free=3,cq=a", "ntasks=8", { .tasks = 3 },
	  "ntasks=3 instead of 8", .questions = 1 },
	{ "pos=1/1,wait=quota(cpu@x),need=8,free=5,cq=a", "cpus=4 ntasks=2",
	  { .tasks = 1 }, "ntasks=1 instead of 2", .questions = 1 },
	{ "pos=1/1,wait=quota(gres/gpu@x),need=8,free=5,cq=a", "gpus=8 ntasks=8", { .gpus = 5 },
	  "gpus=5 instead of 8", .questions = 1 },
	{ "pos=1/1,wait=quota(mem@x),need=8000,free=5000,cq=a", "mem=8000 ntasks=8",
	  { .memory = 5000 }, "mem=5000 instead of 8000", .questions = 1 },
	{ "pos=1/1,wait=never(max=6),need=8_cpu@x,cq=a", "ntasks=8", { .tasks = 6 },
	  "ntasks=6 instead of 8", .questions = 1 },
	/* but nodes may have less: by halves, and what starts is the largest that is known to */
	{ "pos=1/1,wait=quota(cpu@x),need=8,free=6,cq=a", "ntasks=8", { .tasks = 3 },
	  "ntasks=3 instead of 8", .questions = 4 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=64", { .tasks = 37 }, "ntasks=37 instead of 64", .questions = 7 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=100000", { .tasks = 99999 },
	  "ntasks=99218 instead of 100000", .questions = 8 },
	{ "pos=1/1,wait=quota(gres/gpu@x),need=4,free=3,cq=a", "ntasks=2 gpus-per-task=2", { .task_gpus = 1 },
	  "gpus-per-task=1 instead of 2", .questions = 2 },
	/* tasks go with nodes, and each node has one */
	{ "pos=1/1,wait=quota(node@x),need=4,free=2,cq=a", "nodes=4 ntasks=8", { .nodes = 2 },
	  "nodes=2 instead of 4, ntasks=4 instead of 8", .questions = 1 },
	{ "pos=1/1,wait=quota(cpu@x),need=8,free=3,cq=a", "nodes=2 ntasks=8 cpus=1",
	  { .tasks = 3 }, "ntasks=3 instead of 8", .questions = 2 },
	/* time first, the longest that fits; not for quota */
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=1 time=1:00:00", { .time = "30:00" },
	  "time=30:00 instead of 1:00:00", .questions = 1 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=1 time=1:00:00", { .time = "10:00" },
	  "time=10:00 instead of 1:00:00", .questions = 2 },
	{ "pos=1/1,wait=quota(cpu@x),need=1,free=0,cq=a", "ntasks=1 time=1:00:00",
	  { .time = "10:00" }, "", .questions = 0 },
	/* constraint, place, size: smaller changes first */
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=2 constraint=a", { .no_constraint = true },
	  "no constraint instead of a", .questions = 2 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=2 place=b", { .tasks = 0 },
	  "partition=b; ntasks=1 instead of 2", .questions = 2 },
	{ "pos=1/1,wait=held(cq),cq=a", "ntasks=2 place=b constraint=a", { .tasks = 2 },
	  "partition=b", .questions = 1 },
	/* the first of a StrictFIFO queue knows its quota; the second does not */
	{ "pos=1/2,wait=quota(cpu@x),need=8,free=3,cq=a", "ntasks=8", { .order = true },
	  "!ntasks=3 instead of 8", .questions = 1 },
	{ "pos=2/2,wait=quota(cpu@x),need=8,free=3,cq=a", "ntasks=8", { .order = true }, "", .questions = 2 },
	/* who was evicted may not evict as a new job may */
	{ "pos=1/1,wait=yields,cq=a", "ntasks=2", { .victims = 1 }, "", .questions = 1, .evicted = true },
	{ "pos=1/1,wait=yields,cq=a", "ntasks=2", { .victims = 1 }, "ntasks=1 instead of 2", .questions = 1 },
	/* sooner than it is, by more than a minute; never is later than all */
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=2", { .later = 5000, .partition = "no" }, "", .questions = 1,
	  .estimate = 5059 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=2", { .later = 5000, .partition = "no" },
	  "ntasks=1 instead of 2", .questions = 1, .estimate = 5060 },
	{ "pos=1/1,wait=nodes,cq=a", "ntasks=2", { .later = 5000, .partition = "no" }, "", .questions = 1 },
	{ "pos=1/1,wait=never(nodes),cq=a", "ntasks=2", { .later = 5000, .partition = "no" },
	  "ntasks=1 instead of 2", .questions = 1 },
};

static const struct {
	const char *name;
	enum fit_field field;
} names[] = {
	{ "ntasks", FIT_TASKS }, { "nodes", FIT_NODES }, { "cpus", FIT_CPUS },
	{ "gpus", FIT_GPUS }, { "mem", FIT_MEM }, { "time", FIT_TIME },
	{ "constraint", FIT_CONSTRAINT }, { "gpus-per-task", FIT_GPUS_TASK },
};

static void job_read(struct fit_search *s, struct fit_job *job, const char *text)
{
	char copy[128], *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t len = strcspn(word, "=");

		for (size_t i = 0; i < COUNT(names); i++) {
			if (strlen(names[i].name) == len && !strncmp(names[i].name, word, len))
				request_set(&job->asked, names[i].field, word + len + 1);
		}
		if (!strncmp(word, "time", len)) {
			strcpy(s->times[0], "30:00");
			strcpy(s->times[1], "10:00");
		}
		if (!strncmp(word, "place", len))
			s->nplaces = 1;
	}
	s->places[0] = job->asked;
	request_set(&s->places[0], FIT_PARTITION, "b");
}

/* Without "--", and cpus-per-task is cpus */
static void found_write(const struct fit_search *s, char *buf, size_t size)
{
	char words[256], *dashes;

	*buf = '\0';
	for (size_t i = 0; i < s->nfound; i++) {
		request_words(s->job, &s->found[i].request, words, sizeof(words));
		while ((dashes = strstr(words, "--")))
			memmove(dashes, dashes + 2, strlen(dashes + 2) + 1);
		text_append(buf, size, "%s%s%s", i ? "; " : "",
			    s->found[i].by_quota ? "!" : "", words);
	}
}

static void test_search(void **state)
{
	static struct fit_search s;
	static struct fit_job job;
	char found[512], text[128];

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world world = cases[i].world;
		struct reason wait;

		snprintf(text, sizeof(text), "Cohort:%s", cases[i].wait);
		assert_true(reason_parse(text, &wait));
		memset(&job, 0, sizeof(job));
		s = (struct fit_search) {
			.job = &job, .wait = &wait, .estimate = cases[i].estimate,
			.evicted = cases[i].evicted, .ask = ask, .arg = &world,
		};
		job_read(&s, &job, cases[i].job);
		fit_search(&s);
		found_write(&s, found, sizeof(found));
		if (strcmp(found, cases[i].found) || s.questions != cases[i].questions)
			fail_msg("%s, %s: %s (%zu questions), expected %s (%zu)", cases[i].wait,
				 cases[i].job, found, s.questions, cases[i].found,
				 cases[i].questions);
		assert_int_equal(s.questions, world.asked);
		assert_int_equal(s.stopped, cases[i].stopped);
	}
	(void) state;
}

TESTS(cmocka_unit_test(test_search))
