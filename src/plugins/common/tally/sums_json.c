/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_json.c - sums over time as text of JSON, in base units times seconds
\*****************************************************************************/
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "tally/sums_json.h"

#include "compat/slurm_compat.h"

#include "account.h"

/* The lenders of a queue: they are printed again when the queue has borrowed
 * since. */
struct sums_lenders {
	char *text;		/* NULL: from nobody */
	int64_t at;		/* as of then, ns; 0: not yet made */
};

/* ---- text ---- */

struct text {
	char *bytes;
	size_t n, size, most;
	bool too_large;
};

__attribute__((format(printf, 2, 3)))
static void _add(struct text *t, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(NULL, 0, format, list);
	va_end(list);
	t->too_large |= (n < 0) || (t->n + n > t->most);
	if (t->too_large)
		return;
	if (t->n + n + 1 > t->size) {
		t->size = 2 * (t->n + n + 1);
		xrealloc(t->bytes, t->size);
	}
	va_start(list, format);
	t->n += vsnprintf(t->bytes + t->n, n + 1, format, list);
	va_end(list);
}

static char *_finish(struct text *t)
{
	if (t->too_large)
		xfree(t->bytes);
	return t->bytes;
}

/* ---- of nodes ---- */

static void _add_sums(struct text *t, const struct account_sums *s)
{
	_add(t, "[%"PRId64",%"PRId64",%"PRId64",%.3f,%.3f,%.3f]", s->nominal,
	     s->own, s->borrowed, s->lent, s->shared, s->idle);
}

extern char *sums_pair_text(const struct sums *s, bool is_cohort, int node,
			    int flavor, int resource)
{
	struct text t = { .most = INT_MAX };
	struct account_sums sums;

	if (!account_copy_sums(s->copy, is_cohort, node, flavor, resource,
			       &sums))
		return NULL;
	_add_sums(&t, &sums);
	return _finish(&t);
}

static bool _is_any(const struct account_sums *s)
{
	return s->nominal || s->own || s->borrowed || (s->lent > 0) ||
		(s->shared > 0) || (s->idle > 0);
}

static void _add_pairs(struct text *t, const struct sums *s, bool is_cohort,
		       size_t node)
{
	const struct sums_names *names = s->names;
	const char *name = is_cohort ? names->cohorts[node] :
		names->queues[node];
	struct account_sums sums;
	bool any = false;

	for (size_t i = 0; i < names->nresources * names->nflavors; i++) {
		size_t r = i / names->nflavors, f = i % names->nflavors;

		if (!account_copy_sums(s->copy, is_cohort, node, f, r, &sums) || !_is_any(&sums))
			continue;
		if (!any && t->bytes[t->n - 1] == '}')
			_add(t, ",");
		if (any)
			_add(t, ",");
		else
			_add(t, "\"%s\":{", name);
		_add(t, "\"%s@%s\":", names->resources[r],
		     names->flavors[f]);
		_add_sums(t, &sums);
		any = true;
	}
	if (any)
		_add(t, "}");
}

static void _add_nodes(struct text *t, const struct sums *s, bool is_cohort)
{
	size_t n = is_cohort ? s->names->ncohorts : s->names->nqueues;

	_add(t, "{");
	for (size_t i = 0; (i < n) && !t->too_large; i++)
		_add_pairs(t, s, is_cohort, i);
	_add(t, "}");
}

/* ---- lenders and borrowers ---- */

struct listing {
	const struct sums_names *names;
	struct json_object *o;
};

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

/* Names are as in JSON already, and are not printed by its library. */
static void _add_lender(void *arg, bool is_cohort, int lender, int flavor,
			int resource, double sum)
{
	const struct listing *l = arg;
	struct json_object *o = _member(l->o, is_cohort ? "cohorts" :
					"clusterQueues");
	char *key = xstrdup_printf("%s@%s", l->names->resources[resource],
				   l->names->flavors[flavor]);

	o = _member(o, is_cohort ? l->names->cohorts[lender] :
		    l->names->queues[lender]);
	json_object_object_add(o, key, json_object_new_double(sum));
	xfree(key);
}

static void _add_members(struct text *t, struct json_object *o)
{
	const char *before = "";

	_add(t, "{");
	json_object_object_foreach(o, key, value) {
		_add(t, "%s\"%s\":", before, key);
		if (json_object_is_type(value, json_type_object))
			_add_members(t, value);
		else
			_add(t, "%.3f", json_object_get_double(value));
		before = ",";
	}
	_add(t, "}");
}

static char *_lenders_text(const struct sums *s, int queue)
{
	struct listing l = { s->names, json_object_new_object() };
	struct text t = { .most = INT_MAX };

	account_copy_lenders(s->copy, queue, _add_lender, &l);
	if (json_object_object_length(l.o))
		_add_members(&t, l.o);
	json_object_put(l.o);
	return _finish(&t);
}

extern const char *sums_lenders_text(struct sums *s, int queue, int64_t at)
{
	struct sums_lenders *l;

	if (!account_copy_has_lenders(s->copy, queue))
		return NULL;
	if (!s->lenders)
		s->lenders = xcalloc(s->names->nqueues + 1,
				     sizeof(*s->lenders));
	l = &s->lenders[queue];
	if (!l->at || ((l->at != at) &&
		       (account_copy_borrowed_at(s->copy, queue) > l->at))) {
		xfree(l->text);
		l->text = _lenders_text(s, queue);
		l->at = at;
	}
	return l->text;
}

static void _add_borrowers(struct text *t, struct sums *s, int64_t at)
{
	const char *before = "";

	_add(t, "{");
	for (size_t i = 0; (i < s->names->nqueues) && !t->too_large; i++) {
		const char *from = sums_lenders_text(s, i, at);

		if (!from)
			continue;
		_add(t, "%s\"%s\":%s", before, s->names->queues[i], from);
		before = ",";
	}
	_add(t, "}");
}

extern char *sums_all_text(struct sums *s, const char *head, int64_t at,
			   bool *whole)
{
	struct text t = { .most = SUMS_MB_MAX * 1024 * 1024 };
	struct text nodes;

	_add(&t, "%.*s,\"cohorts\":", (int) (strrchr(head, '}') - head), head);
	_add_nodes(&t, s, true);
	_add(&t, ",\"clusterQueues\":");
	_add_nodes(&t, s, false);
	nodes = t;
	_add(&t, ",\"borrowedFrom\":");
	_add_borrowers(&t, s, at);
	_add(&t, "}");
	*whole = !t.too_large;
	if (t.too_large) {
		t.n = nodes.n;
		t.too_large = nodes.too_large;
		_add(&t, "}");
	}
	return _finish(&t);
}

extern void sums_forget(struct sums *s)
{
	for (size_t i = 0; s->lenders && (i < s->names->nqueues); i++)
		xfree(s->lenders[i].text);
	xfree(s->lenders);
	sums_names_free(s->names);
	s->names = NULL;
}
