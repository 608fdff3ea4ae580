/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_plot.c - owners' wait against lost work as SVG
 *
 * A point for each combination. Those that nothing else beats are filled, and
 * joined. Both axes begin at 0.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "output/svg.h"
#include "output/text.h"
#include "simulate/simulate.h"

#define UNBEATEN svg_color(0)
#define BEATEN "#777777"
#define LETTER 6.5		/* pixels of a letter, about */
#define LINE 13			/* and of a line */

struct point {
	size_t combination;
	double part, value;	/* of the panel's width; in the unit */
	bool unbeaten;
};

/* Where its name stands */
struct label {
	char text[256];
	double left, width, y;
	bool end;
};

struct unit {
	const char *name;
	double seconds;
};

struct trade {
	const struct sweep *s;
	struct point points[SWEEP_MAX];
	struct label labels[SWEEP_MAX];
	size_t n;
	struct unit wait, lost;
	double most_lost;	/* in its unit: the width of the panel */
	struct svg_panel panel;
};

/* The largest one in which the value is above 3 */
static struct unit unit_choose(int64_t seconds)
{
	static const struct unit units[] = {
		{ "days", 86400 }, { "hours", 3600 }, { "minutes", 60 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if ((double) seconds > 3 * units[i].seconds)
			return units[i];
	return (struct unit) { "seconds", 1 };
}

static double scale_end(int64_t most, const struct unit *unit)
{
	return most > 0 ? (double) most / unit->seconds * 1.05 : 1;
}

static void points_find(struct trade *t, struct json_object *const *documents,
			size_t n)
{
	int64_t wait = 0, lost = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *total = json_member(documents[i], "total");
		struct point *p = &t->points[t->n];

		if (!sweep_is_comparable(documents[i]))
			continue;
		*p = (struct point) {
			.combination = i,
			.part = (double) json_number(total, "lostSeconds"),
			.value = (double) json_number(total, "ownerWait"),
			.unbeaten = json_truth(documents[i], "unbeaten"),
		};
		wait = p->value > (double) wait ? (int64_t) p->value : wait;
		lost = p->part > (double) lost ? (int64_t) p->part : lost;
		t->n++;
	}
	t->wait = unit_choose(wait);
	t->lost = unit_choose(lost);
	t->panel.most = scale_end(wait, &t->wait);
	t->most_lost = scale_end(lost, &t->lost);
	for (size_t i = 0; i < t->n; i++) {
		t->points[i].value /= t->wait.seconds;
		t->points[i].part /= t->lost.seconds * t->most_lost;
	}
}

/* ---- names of points ---- */

static bool labels_touch(const struct label *a, const struct label *b)
{
	return a->left < b->left + b->width && b->left < a->left + a->width &&
	       a->y < b->y + LINE && b->y < a->y + LINE;
}

/* Beside its point, or below the labels that stand there already */
static void label_place(struct trade *t, size_t index)
{
	const struct point *p = &t->points[index];
	struct label *l = &t->labels[index];
	bool free;

	sweep_values(t->s, p->combination, l->text, sizeof(l->text));
	l->width = LETTER * (double) strlen(l->text) + LETTER;
	l->end = p->part > 0.7;
	l->left = svg_x(&t->panel, p->part) + (l->end ? -8 - l->width : 8);
	l->y = svg_y(&t->panel, p->value) + 4;
	do {
		free = true;
		for (size_t k = 0; k < index; k++) {
			if (!labels_touch(l, &t->labels[k]))
				continue;
			l->y = t->labels[k].y + LINE;
			free = false;
		}
	} while (!free);
}

/* ---- the drawing ---- */

static int by_lost(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return (x->part > y->part) - (x->part < y->part);
}

static void unbeaten_join(const struct trade *t)
{
	double parts[SWEEP_MAX], values[SWEEP_MAX];
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!t->points[i].unbeaten)
			continue;
		parts[n] = t->points[i].part;
		values[n++] = t->points[i].value;
	}
	if (n > 1)
		svg_join(&t->panel, parts, values, n, UNBEATEN);
}

static void points_draw(struct trade *t)
{
	qsort(t->points, t->n, sizeof(t->points[0]), by_lost);
	unbeaten_join(t);
	for (size_t i = 0; i < t->n; i++) {
		const struct point *p = &t->points[i];
		const struct label *l = &t->labels[i];

		label_place(t, i);
		svg_point(&t->panel, p->part, p->value,
			  p->unbeaten ? UNBEATEN : BEATEN, p->unbeaten);
		svg_text(t->panel.f, l->left + (l->end ? l->width : 0), l->y,
			 l->end ? "end" : "start", l->text);
	}
}

static void axes_draw(const struct trade *t)
{
	const struct svg_panel *p = &t->panel;
	double tick = svg_tick(t->most_lost);
	char text[TEXT_SIZE];

	svg_values(p, "");
	for (double v = 0; v <= t->most_lost * 1.0001; v += tick) {
		snprintf(text, sizeof(text), "%g", v);
		svg_time(p, v / t->most_lost, text);
	}
	snprintf(text, sizeof(text), "lost work, job %s", t->lost.name);
	svg_text(p->f, svg_x(p, 0.5), p->top + SVG_HEIGHT + 34, "middle", text);
}

static void trade_write(struct trade *t, const char *file, double height)
{
	FILE *f = t->panel.f;
	double y = SVG_TOP + SVG_HEIGHT + 60;
	char title[512];

	svg_begin(f, SVG_LEFT + SVG_WIDTH + 40, height);
	snprintf(title, sizeof(title), "%.150s: mean wait of owners, %s, by "
		 "%.120s%s%.120s", file, t->wait.name, t->s->paths[0].text,
		 t->s->npaths > 1 ? ", " : "",
		 t->s->npaths > 1 ? t->s->paths[1].text : "");
	svg_text(f, SVG_LEFT, SVG_TOP - 12, "start", title);
	axes_draw(t);
	points_draw(t);
	svg_legend(f, SVG_LEFT, y, UNBEATEN, "nothing else beats it");
	svg_legend(f, SVG_LEFT, y + SVG_LEGEND, BEATEN, "another one is better: "
		   "owners wait no longer, and no more work is lost");
	svg_end(f);
}

int sweep_plot(const char *path, const struct sweep *s,
	       struct json_object *const *documents, size_t n, char *err,
	       size_t size)
{
	struct trade *t = calloc(1, sizeof(*t));
	FILE *f = t ? fopen(path, "we") : NULL;
	int rc = f ? 0 : -1;

	if (f) {
		t->s = s;
		t->panel = (struct svg_panel) { .f = f, .left = SVG_LEFT,
						.top = SVG_TOP };
		points_find(t, documents, n);
		trade_write(t, json_text(documents[0], "config"),
			    SVG_TOP + SVG_HEIGHT + 100);
		rc = ferror(f) ? -1 : 0;
	}
	if (f && fclose(f))
		rc = -1;
	if (rc)
		snprintf(err, size, "%.300s: cannot be written: %s", path,
			 strerror(errno));
	free(t);
	return rc;
}
