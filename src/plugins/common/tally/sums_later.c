/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_later.c - parts of a document that become text when slurmctld's locks
 *  are released
\*****************************************************************************/
#include <pthread.h>

#include "tally/sums_later.h"

#include "state/state.h"
#include "tally/sums_json.h"

#include "account.h"

enum kind {
	PAIR,
	LENDERS,
	ALL,
};

struct place {
	enum kind kind;
	char *text;
	bool is_cohort;
	int node, flavor, resource;
	int64_t at;
	struct place *next;		/* whose text is to be made */
};

static struct {
	pthread_mutex_t lock;
	struct sums sums;
	struct place *places;
	char *all;			/* the last one that could be made */
	bool cut, too_large;		/* that was told */
	bool forget;			/* under the job lock */
} later = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* ---- places ---- */

static int _print(struct json_object *o, struct printbuf *to, int level UNUSED,
		  int flags UNUSED)
{
	const struct place *p = json_object_get_userdata(o);
	const char *text = p->text ? p->text : "null";

	return printbuf_memappend(to, text, strlen(text));
}

static void _free(struct json_object *o UNUSED, void *place)
{
	struct place *p = place;

	xfree(p->text);
	xfree(p);
}

/* On a boolean: the smallest object there is */
static struct json_object *_place_json(const struct place *of)
{
	struct json_object *o = json_object_new_boolean(false);
	struct place *p = xmalloc(sizeof(*p));

	*p = *of;
	json_object_set_serializer(o, _print, p, _free);
	p->next = later.places;
	later.places = p;
	return o;
}

extern struct json_object *sums_later_pair(bool is_cohort, int node, int flavor,
					   int resource)
{
	struct account_sums sums;

	if (!later.sums.copy ||
	    !account_copy_sums(later.sums.copy, is_cohort, node, flavor,
			       resource, &sums))
		return NULL;
	return _place_json(&(struct place) {
		.kind = PAIR, .is_cohort = is_cohort, .node = node,
		.flavor = flavor, .resource = resource });
}

extern struct json_object *sums_later_lenders(int queue, int64_t at)
{
	if (!later.sums.copy ||
	    !account_copy_has_lenders(later.sums.copy, queue))
		return NULL;
	return _place_json(&(struct place) {
		.kind = LENDERS, .node = queue, .at = at });
}

extern struct json_object *sums_later_all(struct json_object *head, int64_t at)
{
	struct place p = { .kind = ALL, .at = at };

	if (head)
		p.text = xstrdup(json_object_to_json_string_ext(
					 head, JSON_C_TO_STRING_PLAIN));
	json_object_put(head);
	return _place_json(&p);
}

/* ---- without slurmctld's locks ---- */

/* Where it is too large the file keeps the last one that was not. */
static void _make_all(const struct place *p)
{
	bool whole;
	char *all = sums_all_text(&later.sums, p->text, p->at, &whole);

	if (!all && !later.too_large)
		error(PREFIX "the account of quota over time has more than %d MB and is not saved",
		      SUMS_MB_MAX);
	if (all && !whole && !later.cut)
		error(PREFIX "the account of quota over time has more than %d MB and is saved without who lent to whom",
		      SUMS_MB_MAX);
	later.too_large = !all;
	later.cut = !whole;
	if (!all)
		return;
	xfree(later.all);
	later.all = all;
}

static void _make(struct place *p)
{
	switch (p->kind) {
	case PAIR:
		p->text = sums_pair_text(&later.sums, p->is_cohort, p->node,
					 p->flavor, p->resource);
		break;
	case LENDERS:
		p->text = xstrdup(sums_lenders_text(&later.sums, p->node,
						    p->at));
		/* what was borrowed had no lender */
		if (!p->text)
			p->text = xstrdup("{}");
		break;
	case ALL:
		if (p->text)
			_make_all(p);
		xfree(p->text);
		p->text = xstrdup(later.all);
		break;
	}
}

extern void sums_later_begin(void)
{
	slurm_mutex_lock(&later.lock);
}

extern void sums_later_end(void)
{
	struct place *p;

	while ((p = later.places)) {
		later.places = p->next;
		_make(p);
	}
	slurm_mutex_unlock(&later.lock);
}

/* ---- under the job lock ---- */

extern void sums_later_forget(void)
{
	later.forget = true;
}

extern bool sums_later_copy(int64_t at)
{
	if (later.forget) {
		sums_forget(&later.sums);
		later.forget = false;
	}
	if (engine_account_copy(ctld.engine, at, &later.sums.copy))
		return false;
	if (!later.sums.names)
		later.sums.names = sums_names_of(ctld.conf->spec);
	return true;
}
