/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  count.c - counters: admissions, evictions, waits, passes
 *
 *  They count since the first start, are kept in the state file, and are
 *  published with the ledger. Queues are known by name: a reconfigure may
 *  renumber them.
\*****************************************************************************/
#include <json-c/json.h>

#include "record/count.h"

#include "state/json.h"
#include "state/state.h"

#include "lib/container.h"
#include "lib/hash.h"

#define REASONS (VICTIM_FAIR_SHARING + 1)
#define BUCKETS_MAX 16

/* Upper bounds of the buckets, in seconds, and as JSON; one more bucket is for the rest */
struct scale {
	size_t n;
	double bounds[BUCKETS_MAX];
	const char *text;
};

static const struct scale wait_scale = {
	14, { 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240 },
	"[1.0,2.5,5.0,10.0,20.0,40.0,80.0,160.0,320.0,640.0,1280.0,2560.0,5120.0,10240.0]",
};
static const struct scale pass_scale = {
	10, { 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3 },
	"[0.0001,0.0003,0.001,0.003,0.01,0.03,0.1,0.3,1.0,3.0]",
};

struct histogram {
	int64_t buckets[BUCKETS_MAX + 1];	/* not cumulative */
	double sum;
};

struct counters {
	struct hash_link link;
	char *queue;
	int64_t admitted;
	int64_t evicted[REASONS];
	int64_t caused[REASONS];		/* evictions for jobs of the queue */
	struct json_object *lost;		/* {RESOURCE@FLAVOR: base units * seconds} */
	struct histogram waits;
	struct histogram delays;		/* of jobs within nominal quota */
	char *text;				/* all that as JSON; NULL: not yet made */
};

static struct {
	time_t since;
	int64_t plans;
	struct histogram passes;
	uint64_t longest_pass;			/* usec, since slurmctld started */
	struct hash queues;			/* of struct counters, by name */
} count;

static struct {
	struct histogram times;
	double longest;				/* seconds */
} holds;

static void _free(struct counters *c)
{
	json_object_put(c->lost);
	xfree(c->queue);
	xfree(c->text);
	xfree(c);
}

extern void count_clear(void)
{
	for (size_t i = 0; i < count.queues.nbuckets; i++) {
		struct hash_link *link = count.queues.buckets[i], *next;

		for (; link; link = next) {
			next = link->next;
			_free(container_of(link, struct counters, link));
		}
	}
	hash_destroy(&count.queues);
	memset(&count, 0, sizeof(count));
}

static struct counters *_of(const char *queue)
{
	uint64_t hash = hash_bytes(HASH_INIT, queue, strlen(queue));
	struct hash_link *link = hash_first(&count.queues, hash);
	struct counters *c;

	for (; link; link = hash_next(link)) {
		c = container_of(link, struct counters, link);
		if (!xstrcmp(c->queue, queue))
			return c;
	}
	c = xmalloc(sizeof(*c));
	c->queue = xstrdup(queue);
	c->lost = json_object_new_object();
	if (hash_insert(&count.queues, &c->link, hash))
		fatal(PREFIX "no memory");
	return c;
}

/* To change them */
static struct counters *_of_queue(int queue)
{
	struct counters *c = _of(ctld.conf->spec->queues[queue].name);

	xfree(c->text);
	return c;
}

static void _observe(struct histogram *h, const struct scale *scale,
		     double value)
{
	size_t i = 0;

	while ((i < scale->n) && (value > scale->bounds[i]))
		i++;
	h->buckets[i]++;
	h->sum += value;
}

extern void count_admission(int queue, time_t waited)
{
	struct counters *c = _of_queue(queue);

	c->admitted++;
	_observe(&c->waits, &wait_scale, MAX(waited, 0));
}

extern void count_delay(int queue, time_t waited)
{
	_observe(&_of_queue(queue)->delays, &wait_scale, MAX(waited, 0));
}

extern void count_eviction(int queue, int by, enum victim_reason reason)
{
	_of_queue(queue)->evicted[reason]++;
	if (by != SPEC_NONE)
		_of_queue(by)->caused[reason]++;
}

static void _lose(struct counters *c, const char *pair, int64_t sum)
{
	sum = sat_add(json_number(c->lost, pair), sum);
	json_object_object_add(c->lost, pair, json_object_new_int64(sum));
}

extern void count_loss(int queue, const struct charge *charge, time_t ran)
{
	char pair[PAIR_KEY_BYTES];

	pair_key_print(pair, ctld.conf->spec, charge->flavor, charge->resource);
	_lose(_of_queue(queue), pair, sat_mul(charge->amount, MAX(ran, 0)));
}

extern void count_pass(uint64_t usec, bool planned)
{
	_observe(&count.passes, &pass_scale, (double) usec / 1000000);
	count.longest_pass = MAX(count.longest_pass, usec);
	count.plans += planned;
}

extern double count_longest_pass(void)
{
	return (double) count.longest_pass / 1000000;
}

extern void count_hold(uint64_t usec)
{
	double seconds = (double) usec / 1000000;

	_observe(&holds.times, &pass_scale, seconds);
	holds.longest = MAX(holds.longest, seconds);
}

/* ---- to JSON ---- */

static struct json_object *_histogram_json(const struct histogram *h,
					   const struct scale *scale)
{
	struct json_object *o = json_object_new_object();
	struct json_object *buckets = json_object_new_array();

	for (size_t i = 0; i <= scale->n; i++)
		json_object_array_add(buckets,
				      json_object_new_int64(h->buckets[i]));
	json_add(o, "bounds", json_printed(xstrdup(scale->text)));
	json_add(o, "buckets", buckets);
	json_add(o, "sum", json_object_new_double(h->sum));
	return o;
}

static struct json_object *_reasons_json(const int64_t *counts)
{
	struct json_object *o = json_object_new_object();

	for (int i = 0; i < REASONS; i++)
		json_add_number(o, victim_reason_name(i), counts[i]);
	return o;
}

static struct json_object *_counters_json(const struct counters *c)
{
	struct json_object *o = json_object_new_object();

	json_add_number(o, "admitted", c->admitted);
	json_add(o, "evicted", _reasons_json(c->evicted));
	json_add(o, "caused", _reasons_json(c->caused));
	json_add(o, "lost", json_object_get(c->lost));
	json_add(o, "waitSeconds", _histogram_json(&c->waits, &wait_scale));
	json_add(o, "reclaimDelaySeconds",
			       _histogram_json(&c->delays, &wait_scale));
	return o;
}

/* The document and the state file have all queues each time, under the job lock, and the
 * counters of most queues have not changed since. */
extern struct json_object *count_queue_json(const char *queue)
{
	struct counters *c = _of(queue);
	struct json_object *o;

	if (!c->text) {
		o = _counters_json(c);
		c->text = xstrdup(json_object_to_json_string_ext(
			o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(o);
	}
	return json_printed(xstrdup(c->text));
}

extern struct json_object *count_holds_json(void)
{
	struct json_object *o = _histogram_json(&holds.times, &pass_scale);

	json_add(o, "longest",
			       json_object_new_double(holds.longest));
	return o;
}

extern struct json_object *count_json(void)
{
	struct json_object *o = json_object_new_object();

	if (!count.since)
		count.since = time(NULL);
	json_add_number(o, "since", count.since);
	json_add_number(o, "plans", count.plans);
	json_add(o, "passSeconds",
			       _histogram_json(&count.passes, &pass_scale));
	return o;
}

/* Only queues that exist: counters of other queues are dropped at a restart. */
extern struct json_object *count_dump(void)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = count_json(), *queues = json_object_new_object();

	for (size_t i = 0; i < spec->nqueues; i++)
		json_object_object_add(queues, spec->queues[i].name,
				       count_queue_json(spec->queues[i].name));
	json_add(o, "queues", queues);
	return o;
}

/* ---- from JSON: what is missing or no number counts as 0 ---- */

static int64_t _count(struct json_object *o, const char *key)
{
	return MAX(json_number(o, key), 0);
}

static void _load_histogram(struct json_object *o, const char *key,
			    const struct scale *scale, struct histogram *h)
{
	struct json_object *value, *list;

	if (!json_object_object_get_ex(o, key, &value) ||
	    !json_object_object_get_ex(value, "buckets", &list) ||
	    !json_object_is_type(list, json_type_array) ||
	    (json_object_array_length(list) != scale->n + 1))
		return;
	for (size_t i = 0; i <= scale->n; i++)
		h->buckets[i] = MAX(json_object_get_int64(
			json_object_array_get_idx(list, i)), 0);
	if (json_object_object_get_ex(value, "sum", &list))
		h->sum = MAX(json_object_get_double(list), 0);
}

static void _load_reasons(struct json_object *o, const char *key,
			  int64_t *counts)
{
	struct json_object *list;

	if (!json_object_object_get_ex(o, key, &list))
		return;
	for (int i = 0; i < REASONS; i++)
		counts[i] = _count(list, victim_reason_name(i));
}

/* Of pairs that exist; a damaged file may have any number of others. */
static void _load_losses(struct counters *c, struct json_object *o)
{
	struct json_object *list;
	int flavor, resource;

	if (!json_object_object_get_ex(o, "lost", &list) ||
	    !json_object_is_type(list, json_type_object))
		return;
	json_object_object_foreach(list, pair, value) {
		if (pair_key_find(pair, &flavor, &resource))
			_lose(c, pair, MAX(json_object_get_int64(value), 0));
	}
}

static void _load_queue(const char *name, struct json_object *o)
{
	struct counters *c = _of(name);

	xfree(c->text);
	c->admitted = _count(o, "admitted");
	_load_histogram(o, "waitSeconds", &wait_scale, &c->waits);
	_load_histogram(o, "reclaimDelaySeconds", &wait_scale, &c->delays);
	_load_reasons(o, "evicted", c->evicted);
	_load_reasons(o, "caused", c->caused);
	_load_losses(c, o);
}

extern void count_load(struct json_object *o)
{
	struct json_object *queues;

	count.since = _count(o, "since");
	count.plans = _count(o, "plans");
	_load_histogram(o, "passSeconds", &pass_scale, &count.passes);
	if (!json_object_object_get_ex(o, "queues", &queues) ||
	    !json_object_is_type(queues, json_type_object))
		return;
	json_object_object_foreach(queues, name, value)
		_load_queue(name, value);
}
