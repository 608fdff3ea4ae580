/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_json.c - sums over time as JSON, in base units times seconds
\*****************************************************************************/
#include "tally/sums_json.h"

#include "state/pair_key.h"
#include "state/state.h"

#include "account.h"

/* The lenders of a queue, as text: it is printed again when the queue has
 * borrowed since. */
struct lenders {
	char *text;		/* NULL: from nobody */
	int64_t at;		/* as of then, ns; 0: not yet made */
};

static struct {
	struct lenders *of;	/* by queue; NULL: not yet made */
	size_t n;
	int64_t at;
} known;

/* ---- text ---- */

static int _print_text(struct json_object *o, struct printbuf *to,
		       int level UNUSED, int flags UNUSED)
{
	const char *text = json_object_get_userdata(o);

	return printbuf_memappend(to, text, strlen(text));
}

static void _free_text(struct json_object *o UNUSED, void *text)
{
	xfree(text);
}

/* On a boolean: the smallest object there is */
extern struct json_object *sums_text_json(char *text)
{
	struct json_object *o = json_object_new_boolean(false);

	json_object_set_serializer(o, _print_text, text, _free_text);
	return o;
}

/* ---- of nodes ---- */

static struct json_object *_sums_json(const struct account_sums *s)
{
	return sums_text_json(xstrdup_printf(
		"[%"PRId64",%"PRId64",%"PRId64",%.3f,%.3f,%.3f]", s->nominal,
		s->own, s->borrowed, s->lent, s->shared, s->idle));
}

extern struct json_object *sums_pair_json(bool is_cohort, int node, int flavor,
					  int resource, int64_t at)
{
	struct account_sums s;

	if (!engine_account(ctld.engine, is_cohort, node, flavor, resource, at,
			    &s))
		return NULL;
	return _sums_json(&s);
}

static bool _is_any(const struct account_sums *s)
{
	return s->nominal || s->own || s->borrowed || (s->lent > 0) ||
		(s->shared > 0) || (s->idle > 0);
}

/* {RESOURCE@FLAVOR: sums}, without pairs of which nothing is known; NULL: there is
 * none */
static struct json_object *_pairs_json(bool is_cohort, int node, int64_t at)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = NULL;
	struct account_sums s;

	for (size_t r = 0; r < spec->nresources; r++) {
		for (size_t i = 0; i < spec->nflavors; i++) {
			char key[PAIR_KEY_BYTES];

			if (!engine_account(ctld.engine, is_cohort, node, i, r,
					    at, &s) || !_is_any(&s))
				continue;
			if (!o)
				o = json_object_new_object();
			pair_key_print(key, i, r);
			json_object_object_add(o, key, _sums_json(&s));
		}
	}
	return o;
}

extern struct json_object *sums_nodes_json(bool is_cohort, int64_t at)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object(), *pairs;
	size_t end = is_cohort ? spec->ncohorts : spec->nqueues;

	for (size_t i = 0; i < end; i++) {
		if ((pairs = _pairs_json(is_cohort, i, at)))
			json_object_object_add(
				o, is_cohort ? spec->cohorts[i].name :
				spec->queues[i].name, pairs);
	}
	return o;
}

/* ---- lenders and borrowers ---- */

extern void sums_forget(void)
{
	for (size_t i = 0; i < known.n; i++)
		xfree(known.of[i].text);
	xfree(known.of);
	known.n = 0;
	known.at = 0;
}

extern void sums_date(int64_t at)
{
	known.at = MAX(known.at, at);
	engine_account_date(ctld.engine, known.at);
}

/* The member of that name, made if it is not there */
static struct json_object *_member(struct json_object *o, const char *name)
{
	struct json_object *member;

	if (!json_object_object_get_ex(o, name, &member)) {
		member = json_object_new_object();
		json_object_object_add(o, name, member);
	}
	return member;
}

static void _add_lender(void *arg, bool is_cohort, int lender, int flavor,
			int resource, double sum)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = _member(arg, is_cohort ? "cohorts" :
					"clusterQueues");
	char key[PAIR_KEY_BYTES];

	pair_key_print(key, flavor, resource);
	o = _member(o, is_cohort ? spec->cohorts[lender].name :
		    spec->queues[lender].name);
	json_object_object_add(o, key, sums_text_json(
				       xstrdup_printf("%.3f", sum)));
}

static char *_lenders_text(int queue)
{
	struct json_object *o = json_object_new_object();
	char *text = NULL;

	engine_account_lenders(ctld.engine, queue, _add_lender, o);
	if (json_object_object_length(o))
		text = xstrdup(json_object_to_json_string_ext(
				       o, JSON_C_TO_STRING_PLAIN |
				       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return text;
}

/* A copy: a thread may print the document without a lock. */
extern struct json_object *sums_lenders_json(int queue)
{
	struct lenders *l;

	if (!known.of) {
		known.n = ctld.conf->spec->nqueues;
		known.of = xcalloc(known.n + 1, sizeof(*known.of));
	}
	l = &known.of[queue];
	if (!l->at || ((l->at != known.at) &&
		       (engine_account_borrowed_at(ctld.engine, queue) >
			l->at))) {
		xfree(l->text);
		l->text = _lenders_text(queue);
		l->at = known.at;
	}
	return l->text ? sums_text_json(xstrdup(l->text)) : NULL;
}
