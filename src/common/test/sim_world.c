/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_world.c - simulations for tests, described in words
 */
#include "sim_world.h"
#include "world_words.h"

/* light=1: each second of one unit is worth one */
static const double light_weights[] = { 1, 1, 1, 1, 1, 1, 1, 1 };

static void log_add(struct sim_world *sw, const struct sim_event *event)
{
	static const char *const verbs[] = {
		[SIM_START] = "start", [SIM_EVICT] = "evict",
		[SIM_GONE] = "gone", [SIM_END] = "end",
	};
	size_t n = strlen(sw->log);

	snprintf(sw->log + n, sizeof(sw->log) - n, "%s%lld %s %s%s%s",
		 n ? "; " : "", (long long) event->at, verbs[event->kind],
		 (const char *) event->owner, event->by ? " for " : "",
		 event->by ? (const char *) event->by : "");
}

static void event_note(void *arg, const struct sim_event *event)
{
	log_add(arg, event);
}

static bool key_read(struct sim_desc *d, int64_t *come, int64_t *leaves, const char *word)
{
	int64_t array;

	if (number_of(word, "array", &array)) {
		d->array = array;
		return true;
	}
	if (value_of(word, "either") || value_of(word, "together"))
		return true;
	if (!strncmp(word, "nonodes", 7))
		return d->no_nodes = true;
	if (!strncmp(word, "cancel", 6))
		return d->cancels = true;
	return number_of(word, "come", come) || number_of(word, "leaves", leaves)
	       || number_of(word, "evict", &d->evict_time)
	       || number_of(word, "checkpoint", &d->checkpoint)
	       || number_of(word, "restart", &d->restart_cost)
	       || number_of(word, "exempt", &d->exempt_time) || number_of(word, "limit", &d->limit)
	       || number_of(word, "min", &d->min_available);
}

static struct sim_job *running_add(struct sim_world *sw, struct workload *w,
				   const struct sim_desc *d, int64_t leaves)
{
	const struct charge *charges;
	struct sim_job *job;
	size_t n;

	charges = workload_charges(w, &n);
	job = sim_run(sw->sim, d, charges, n, 1, d->duration);
	assert_non_null(job);
	if (leaves)
		sim_leaves(sw->sim, job, leaves, &(struct victim) { 0 });
	return job;
}

static void job_add(struct sim_world *sw, char *text)
{
	char *rest, *word = strtok_r(text, ",", &rest), *time = strchr(word, '=');
	struct sim_desc d = { .min_available = -1 };
	int64_t come = 0, leaves = 0;
	enum bond_kind kind = BOND_EITHER;
	struct sim_job *with = NULL;
	struct workload_memory m;
	struct workload *w;
	size_t i = 0;

	*time++ = '\0';
	while (strcmp(sw->world->names[i], word))
		i++;
	w = world_workload(sw->world, word);
	workload_describe(w, &d.work);
	d.work.owner = sw->world->names[i];
	d.duration = strtoll(time, NULL, 10);
	if (!d.duration)
		d.duration = SIM_FOREVER;
	while ((word = strtok_r(NULL, ",", &rest))) {
		if (!key_read(&d, &come, &leaves, word))
			fail_msg("\"%s\" is no key", word);
		if (value_of(word, "either"))
			with = sim_world_job(sw, value_of(word, "either"));
		if (value_of(word, "together")) {
			with = sim_world_job(sw, value_of(word, "together"));
			kind = BOND_TOGETHER;
		}
	}
	if (workload_running(w))
		sw->jobs[i] = running_add(sw, w, &d, leaves);
	else
		sw->jobs[i] = sim_submit(sw->sim, come, &d);
	assert_non_null(sw->jobs[i]);
	workload_recall(w, &m);
	assert_int_equal(sim_remind(sw->sim, sw->jobs[i], &m, SIM_FOREVER), 0);
	if (with)
		assert_int_equal(sim_bind(sw->sim, sw->jobs[i], with, kind), 0);
}

static void times_read(struct sim_world *sw, const char *times)
{
	char buffer[1024], *rest, *word;
	struct charge room;

	snprintf(buffer, sizeof(buffer), "%s", times);
	for (word = strtok_r(buffer, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (value_of(word, "requeue") || value_of(word, "own")
		    || value_of(word, "depth") || value_of(word, "light"))
			continue;
		if (!value_of(word, "room")) {
			job_add(sw, word);
			continue;
		}
		world_charges(sw->world, value_of(word, "room"), &room);
		sim_room(sw->sim, room.flavor, room.resource, room.amount);
	}
}

void sim_world_options(struct sim_world *sw, const char *times, struct sim_options *options)
{
	const char *at;

	*options = (struct sim_options) { .event = event_note, .arg = sw };

	if ((at = strstr(times, "requeue=")))
		number_of(at, "requeue", &options->requeue_time);
	if (strstr(times, "light="))
		options->loss = light_weights;
	if ((at = strstr(times, "depth="))) {
		int64_t depth;

		number_of(at, "depth", &depth);
		options->depth = (size_t) depth;
	}
	if ((at = strstr(times, "own=")))
		number_of(at, "own", &options->own_time);
}

struct sim_world *sim_world_create(const char *told, const char *times, int64_t now)
{
	struct sim_world *sw = calloc(1, sizeof(*sw));
	struct sim_options options;

	assert_non_null(sw);
	sw->world = world_create(told);
	sim_world_options(sw, times, &options);
	sw->sim = sim_create(sw->world->spec, now, &options);
	assert_non_null(sw->sim);
	times_read(sw, times);
	return sw;
}

void sim_world_destroy(struct sim_world *sw)
{
	sim_destroy(sw->sim);
	world_destroy(sw->world);
	free(sw);
}

const char *sim_world_play(struct sim_world *sw, int steps)
{
	while (steps-- > 0 && sim_step(sw->sim, 0) > 0)
		;
	return sw->log;
}

struct sim_job *sim_world_job(const struct sim_world *sw, const char *name)
{
	for (size_t i = 0; i < sw->world->nworkloads; i++) {
		if (!strcmp(sw->world->names[i], name))
			return sw->jobs[i];
	}
	fail_msg("no job %s", name);
	return NULL;
}
