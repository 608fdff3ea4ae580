/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  count.c - counters: admissions, evictions, waits, passes
 *
 *  They count since the first start, are kept in the state file, and are
 *  published with the ledger.
\*****************************************************************************/
#include <json-c/json.h>

#include "record/record.h"

#include "state/json.h"

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

/* Of one queue. It is known by name: a reconfigure may renumber queues. */
struct counters {
	char *queue;
	int64_t admitted;
	int64_t evicted[REASONS];
	int64_t caused[REASONS];		/* evictions for jobs of the queue */
	struct json_object *lost;		/* {RESOURCE@FLAVOR: base units * seconds} */
	struct histogram waits;
	struct histogram delays;		/* of jobs within nominal quota */
};

static struct {
	int64_t since, plans;
	struct histogram passes;
	double longest_pass;			/* seconds, since slurmctld started */
	struct lh_table *queues;		/* of struct counters, by name; NULL: empty */
} count;

static struct {
	struct histogram times;
	double longest;				/* seconds */
} holds;

static void _free(struct lh_entry *entry)
{
	struct counters *c = lh_entry_v(entry);

	json_object_put(c->lost);
	xfree(c->queue);
	xfree(c);
}

extern void count_clear(void)
{
	if (count.queues)
		lh_table_free(count.queues);
	memset(&count, 0, sizeof(count));
}

static struct counters *_of(const char *queue)
{
	struct counters *c;
	void *found;

	if (!count.queues && !(count.queues = lh_kchar_table_new(64, _free)))
		fatal(PREFIX "no memory");
	if (lh_table_lookup_ex(count.queues, queue, &found))
		return found;
	c = xmalloc(sizeof(*c));
	c->queue = xstrdup(queue);
	c->lost = json_object_new_object();
	if (lh_table_insert(count.queues, c->queue, c))
		fatal(PREFIX "no memory");
	return c;
}

static struct counters *_of_queue(int queue)
{
	return _of(ctld.conf->spec->queues[queue].name);
}

static void _observe(struct histogram *h, const struct scale *scale, double value)
{
	size_t i = 0;

	while ((i < scale->n) && (value > scale->bounds[i]))
		i++;
	h->buckets[i]++;
	h->sum += value;
}

extern void count_admission(int queue, time_t waited, bool within_nominal)
{
	struct counters *c = _of_queue(queue);

	c->admitted++;
	_observe(&c->waits, &wait_scale, MAX(waited, 0));
	if (within_nominal)
		_observe(&c->delays, &wait_scale, MAX(waited, 0));
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

extern void count_loss(int queue, const struct charge *charge, time_t lost)
{
	char pair[PAIR_KEY_BYTES];

	pair_key_print(pair, ctld.conf->spec, charge->flavor, charge->resource);
	_lose(_of_queue(queue), pair, sat_mul(charge->amount, MAX(lost, 0)));
}

/* Of a pass, or of a hold of the lock */
static void _time(struct histogram *h, uint64_t usec, double *longest)
{
	double seconds = (double) usec / 1000000;

	_observe(h, &pass_scale, seconds);
	*longest = MAX(*longest, seconds);
}

extern void count_pass(uint64_t usec, bool planned)
{
	_time(&count.passes, usec, &count.longest_pass);
	count.plans += planned;
}

extern void count_hold(uint64_t usec)
{
	_time(&holds.times, usec, &holds.longest);
}

/* ---- what of that is published and saved ---- */

struct field {
	const char *key;
	enum { NUMBER, BY_REASON, TIMES } kind;
	size_t at;
	const struct scale *scale;	/* TIMES */
};

#define SITE(member) offsetof(__typeof__(count), member)
#define QUEUE(member) offsetof(struct counters, member)

static const struct field site_fields[] = {
	{ "since", NUMBER, SITE(since), NULL },
	{ "plans", NUMBER, SITE(plans), NULL },
	{ "passSeconds", TIMES, SITE(passes), &pass_scale },
	{ .key = NULL }
};
static const struct field queue_fields[] = {
	{ "admitted", NUMBER, QUEUE(admitted), NULL },
	{ "evicted", BY_REASON, QUEUE(evicted), NULL },
	{ "caused", BY_REASON, QUEUE(caused), NULL },
	{ "waitSeconds", TIMES, QUEUE(waits), &wait_scale },
	{ "reclaimDelaySeconds", TIMES, QUEUE(delays), &wait_scale },
	{ .key = NULL }
};

/* ---- to JSON ---- */

static struct json_object *_histogram_json(const struct histogram *h, const struct scale *scale)
{
	struct json_object *o = json_object_new_object();
	struct json_object *buckets = json_object_new_array();

	for (size_t i = 0; i <= scale->n; i++)
		json_object_array_add(buckets, json_object_new_int64(h->buckets[i]));
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

static struct json_object *_fields_json(const struct field *f, const void *from)
{
	struct json_object *o = json_object_new_object();

	for (; f->key; f++) {
		const void *at = (const char *) from + f->at;

		json_add(o, f->key, f->kind == TIMES ? _histogram_json(at, f->scale) :
			 f->kind == BY_REASON ? _reasons_json(at) :
			 json_object_new_int64(*(const int64_t *) at));
	}
	return o;
}

extern struct json_object *count_queue_json(int queue)
{
	const struct counters *c = _of_queue(queue);
	struct json_object *o = _fields_json(queue_fields, c), *lost = NULL;

	/* it is printed without the lock */
	if (!json_object_deep_copy(c->lost, &lost, NULL))
		json_add(o, "lost", lost);
	return o;
}

extern struct json_object *count_json(void)
{
	if (!count.since)
		count.since = time(NULL);
	return _fields_json(site_fields, &count);
}

/* Only queues that exist: counters of other queues are dropped at a restart. */
extern struct json_object *count_dump(void)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = count_json(), *queues = json_member(o, "queues");

	for (size_t i = 0; i < spec->nqueues; i++)
		json_object_object_add(queues, spec->queues[i].name,
				       count_queue_json(i));
	return o;
}

/* ---- work ---- */

/* Where the document has each; times in microseconds */
static const struct {
	const char *part, *key;
} work_names[WORKS] = {
	[WORK_LOOK] = { NULL, "looks" },
	[WORK_MATCH] = { NULL, "matches" },
	[WORK_BOOKED] = { NULL, "booked" },
	[WORK_CANDIDATE] = { NULL, "candidates" },
	[WORK_TEXT] = { NULL, "texts" },
	[WORK_UNTRIED] = { NULL, "untried" },
	[WORK_SAVE] = { NULL, "saved" },
	[WORK_NODE_SETS] = { NULL, "nodeSets" },
	[WORK_HOST_LIST] = { NULL, "hostLists" },
	[WORK_ANSWERED] = { "questions", "answered" },
	[WORK_POSTPONED] = { "questions", "postponed" },
	[WORK_QUESTION_NS] = { "questions", "microseconds" },
	[WORK_PLAY] = { "estimates", "plays" },
	[WORK_PLAY_NS] = { "estimates", "microseconds" },
	[WORK_PLAY_CUT] = { "estimates", "cutShort" },
	[WORK_TOO_FAR] = { "estimates", "tooFar" },
};

extern struct json_object *count_work_json(void)
{
	struct json_object *o = json_object_new_object(), *lock;

	for (enum work what = 0; what < WORKS; what++) {
		bool is_time = (what == WORK_QUESTION_NS) || (what == WORK_PLAY_NS);
		const char *part = work_names[what].part;

		json_add_number(part ? json_member(o, part) : o, work_names[what].key,
				ctld.work[what] / (is_time ? 1000 : 1));
	}
	json_add_number(o, "cutPlans", (int64_t) engine_cut_plans(ctld.engine));
	json_add(o, "longestPassSeconds", json_object_new_double(count.longest_pass));
	lock = _histogram_json(&holds.times, &pass_scale);
	json_add(lock, "longest", json_object_new_double(holds.longest));
	json_add(o, "lockSeconds", lock);
	return o;
}

/* ---- from JSON: what is missing or no number counts as 0 ---- */

static int64_t _count(struct json_object *o, const char *key)
{
	return MAX(json_number(o, key), 0);
}

static void _load_histogram(struct json_object *o, const struct scale *scale,
			    struct histogram *h)
{
	struct json_object *list, *sum;

	if (!json_object_object_get_ex(o, "buckets", &list) ||
	    !json_object_is_type(list, json_type_array) ||
	    (json_object_array_length(list) != scale->n + 1))
		return;
	for (size_t i = 0; i <= scale->n; i++)
		h->buckets[i] = MAX(json_object_get_int64(
			json_object_array_get_idx(list, i)), 0);
	if (json_object_object_get_ex(o, "sum", &sum))
		h->sum = MAX(json_object_get_double(sum), 0);
}

static void _load_fields(struct json_object *o, const struct field *f, void *to)
{
	for (; f->key; f++) {
		struct json_object *value = NULL;
		void *at = (char *) to + f->at;
		int64_t *counts = at;

		(void) json_object_object_get_ex(o, f->key, &value);
		if (f->kind == TIMES)
			_load_histogram(value, f->scale, at);
		else if (f->kind == NUMBER)
			*counts = _count(o, f->key);
		for (int i = 0; (f->kind == BY_REASON) && (i < REASONS); i++)
			counts[i] = _count(value, victim_reason_name(i));
	}
}

/* Of pairs that exist; a damaged file may have any number of others. */
static void _load_losses(struct counters *c, struct json_object *o)
{
	int flavor, resource;

	json_object_object_foreach(json_object_of(o, "lost"), pair, value) {
		if (pair_key_find(pair, &flavor, &resource))
			_lose(c, pair, MAX(json_object_get_int64(value), 0));
	}
}

extern void count_load(struct json_object *o)
{
	_load_fields(o, site_fields, &count);
	json_object_object_foreach(json_object_of(o, "queues"), name, value) {
		struct counters *c = _of(name);

		_load_fields(value, queue_fields, c);
		_load_losses(c, value);
	}
}
