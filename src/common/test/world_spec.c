/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world_spec.c - specs for tests, described in words
 */
#include <stdio.h>
#include <stdlib.h>

#include "world_words.h"

static enum policy policy_of(struct words *words, const char *name)
{
	static const char *const names[] = { "never", "empty", "lower", "newer",
					     "any" };

	for (size_t i = 0; i < COUNT(names); i++) {
		if (!strcmp(name, names[i]))
			return i;
	}
	words_confused(words, name);
	return POLICY_NEVER;
}

/* "cpu@f=8+4-2" */
static bool quota_read(struct words *words, const char *word, struct spec_quota **quotas, size_t *n)
{
	struct spec *spec = words->world->spec;
	char resource[16], flavor[16], limits[64] = "";
	struct spec_quota *quota;
	long long nominal;
	char *p;

	if (sscanf(word, "%15[^@=]@%15[^=]=%lld%63s", resource, flavor, &nominal, limits) < 3)
		return false;
	quota = spec_add_quota(quotas, n, spec_flavor(spec, flavor),
			       spec_resource(spec, resource), nominal);
	if ((p = strchr(limits, '+')))
		quota->borrowing_limit = strtoll(p + 1, NULL, 10);
	if ((p = strchr(limits, '-')))
		quota->lending_limit = strtoll(p + 1, NULL, 10);
	return true;
}

static void index_add(int **list, size_t *n, int index)
{
	for (size_t i = 0; i < *n; i++) {
		if ((*list)[i] == index)
			return;
	}
	*list = realloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = index;
}

/* Every quota of a queue makes its resource and flavor part of a group */
static void group_grow(struct spec_queue *q, bool another)
{
	const struct spec_quota *quota = &q->quotas[q->nquotas - 1];
	struct spec_group *group;

	if (!q->ngroups || another) {
		q->groups = realloc(q->groups, (q->ngroups + 1) * sizeof(*q->groups));
		q->groups[q->ngroups++] = (struct spec_group) { 0 };
	}
	group = &q->groups[q->ngroups - 1];
	index_add(&group->resources, &group->nresources, quota->resource);
	index_add(&group->flavors, &group->nflavors, quota->flavor);
}

/* "half=3600 k=1 margin=0.25", "lhalf=3600 sampling=300 worth=gpu*3" */
static bool history_word(struct spec *spec, const char *word)
{
	struct spec_history *h = &spec->history;
	char resource[16];
	double weight;

	if (value_of(word, "k")) {
		h->k = strtod(value_of(word, "k"), NULL);
	} else if (value_of(word, "margin")) {
		h->margin = strtod(value_of(word, "margin"), NULL);
	} else if (sscanf(word, "worth=%15[^*]*%lf", resource, &weight) == 2) {
		int r = spec_resource(spec, resource);

		h->weights = calloc(8, sizeof(*h->weights));
		for (int i = 0; i < 8; i++)
			h->weights[i] = i == r ? weight : 1;
	} else {
		return number_of(word, "half", &h->half_life)
		       || number_of(word, "lhalf", &h->local_half_life)
		       || number_of(word, "sampling", &h->sampling);
	}
	return true;
}

void tell_site(struct words *words)
{
	struct spec *spec = words->world->spec;
	const char *word;

	while ((word = word_next(words))) {
		if (!strcmp(word, "fair"))
			spec->fair_sharing = true;
		else if (!strcmp(word, "kueue"))
			spec->kueue_rules = true;
		else if (!strcmp(word, "norecompute"))
			spec->no_recompute = true;
		else if (!strcmp(word, "nopartial"))
			spec->no_partial = true;
		else if (!strcmp(word, "resolve=queue"))
			spec->resolve = RESOLVE_QUEUE;
		else if (!strcmp(word, "first=initial"))
			spec->strategies[0] = FAIR_LESS_INITIAL;
		else if (!strcmp(word, "second=none"))
			spec->strategies[1] = FAIR_NONE;
		else if (!number_of(word, "preempt", &spec->preempt_min_runtime)
			 && !number_of(word, "reclaim", &spec->reclaim_min_runtime)
			 && !history_word(spec, word))
			words_confused(words, word);
	}
}

void tell_cohort(struct words *words)
{
	struct spec_cohort *c = spec_add_cohort(words->world->spec, word_need(words));
	const char *word;

	while ((word = word_next(words))) {
		if (!strcmp(word, "in"))
			c->parent = spec_find_cohort(words->world->spec, word_need(words));
		else if (value_of(word, "weight"))
			c->weight = strtod(value_of(word, "weight"), NULL);
		else if (!number_of(word, "pmin", &c->preempt_min_runtime)
			 && !number_of(word, "rmin", &c->reclaim_min_runtime)
			 && !quota_read(words, word, &c->quotas, &c->nquotas))
			words_confused(words, word);
	}
}

static bool queue_flag(struct spec_queue *q, const char *word)
{
	if (!strcmp(word, "strict"))
		q->strategy = STRATEGY_STRICT_FIFO;
	else if (!strcmp(word, "hold"))
		q->stop = STOP_HOLD;
	else if (!strcmp(word, "drain"))
		q->stop = STOP_HOLD_AND_DRAIN;
	else if (!strcmp(word, "usage"))
		q->by_usage = true;
	else if (!strcmp(word, "inactive"))
		q->inactive = true;
	else if (!strcmp(word, "canborrow=next"))
		q->when_can_borrow = FUNGIBILITY_TRY_NEXT;
	else if (!strcmp(word, "canpreempt=stop"))
		q->when_can_preempt = FUNGIBILITY_MAY_STOP;
	else if (!strcmp(word, "expected"))
		q->delay_if_expected = true;
	else if (!strcmp(word, "cap=cohort"))
		q->cap_scope = CAP_COHORT;
	else if (!strcmp(word, "prefer=preempt"))
		q->preference = PREFER_PREEMPTION;
	else
		return false;
	return true;
}

static bool queue_value(struct words *words, struct spec_queue *q, const char *word)
{
	int64_t max;

	if (value_of(word, "within")) {
		q->within = policy_of(words, value_of(word, "within"));
	} else if (value_of(word, "reclaim")) {
		q->reclaim = policy_of(words, value_of(word, "reclaim"));
	} else if (value_of(word, "borrow")) {
		q->borrow_set = true;
		q->borrow = policy_of(words, value_of(word, "borrow"));
	} else if (value_of(word, "weight")) {
		q->weight = strtod(value_of(word, "weight"), NULL);
	} else if (number_of(word, "threshold", &q->threshold)) {
		q->threshold_set = true;
	} else if (number_of(word, "max", &max)) {
		q->max_preemptions = (int) max;
	} else if (number_of(word, "yield", &max)) {
		q->yield_after = (int) max;
	} else {
		return number_of(word, "turn", &q->min_admit)
		       || number_of(word, "delay", &q->reclaim_delay)
		       || number_of(word, "pmin", &q->preempt_min_runtime)
		       || number_of(word, "rmin", &q->reclaim_min_runtime);
	}
	return true;
}

void tell_queue(struct words *words)
{
	struct spec_queue *q = spec_add_queue(words->world->spec, word_need(words));
	bool another = false;
	const char *word;

	while ((word = word_next(words))) {
		if (!strcmp(word, "in")) {
			q->cohort = spec_find_cohort(words->world->spec, word_need(words));
		} else if (!strcmp(word, "|")) {
			another = true;
		} else if (queue_flag(q, word) || queue_value(words, q, word)) {
			continue;
		} else if (quota_read(words, word, &q->quotas, &q->nquotas)) {
			group_grow(q, another);
			another = false;
		} else {
			words_confused(words, word);
		}
	}
}

void tell_period(struct words *words)
{
	struct spec *spec = words->world->spec;
	const char *name = word_need(words), *word;
	struct spec_quota *quota = NULL;
	struct spec_period p = { .node = spec_find_queue(spec, name) };
	size_t n = 0;

	p.is_cohort = p.node == SPEC_NONE;
	if (p.is_cohort)
		p.node = spec_find_cohort(spec, name);
	while ((word = word_next(words))) {
		if (!number_of(word, "from", &p.from) && !number_of(word, "until", &p.until)
		    && !quota_read(words, word, &quota, &n))
			words_confused(words, word);
	}
	p.flavor = quota->flavor;
	p.resource = quota->resource;
	p.nominal = quota->nominal;
	free(quota);
	spec_add_period(spec, &p);
}
