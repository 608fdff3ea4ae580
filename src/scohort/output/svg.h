/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg.h - a drawing: panels with a value over time, in steps
 */
#ifndef SCOHORT_SVG_H
#define SCOHORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Sizes in pixels */
#define SVG_WIDTH 720		/* of a panel */
#define SVG_HEIGHT 240
#define SVG_LEFT 70		/* for the values beside it */
#define SVG_TOP 50
#define SVG_GAP 50		/* between panels */
#define SVG_LEGEND 18		/* height of a line of it */

struct svg_panel {
	FILE *f;
	double left, top;
	double most;		/* value at the upper edge, above 0 */
	size_t n;		/* steps */
	const double *edges;	/* n + 1 from 0 to 1; NULL: all of one length */
};

/* The head and the end of the file; colours and fonts */
void svg_begin(FILE *f, double width, double height);
void svg_end(FILE *f);

/* anchor: "start", "middle", "end". Unprintable characters are escaped. */
void svg_text(FILE *f, double x, double y, const char *anchor,
	      const char *text);

/* Lines and values of the resource at the left edge */
void svg_values(const struct svg_panel *p, const char *resource);
/* The distance of lines: 1, 2 or 5 times a power of ten, three to seven of them */
double svg_tick(double most);
/* Text under the panel, at a part of its width, 0 to 1 */
void svg_time(const struct svg_panel *p, double part, const char *text);

/* The paint of queue i. Ten colours made for the colour-blind, then the
 * same with stripes: twenty that differ. svg_begin() defines the stripes. */
const char *svg_color(size_t i);

/* Steps: an area between two values, a line, the line of a quota */
void svg_area(const struct svg_panel *p, const double *low, const double *high,
	      const char *color);
void svg_line(const struct svg_panel *p, const double *values,
	      const char *color);
void svg_quota(const struct svg_panel *p, double value);
void svg_quota_steps(const struct svg_panel *p, const double *values);

/* Where a part of the width and a value are */
double svg_x(const struct svg_panel *p, double part);
double svg_y(const struct svg_panel *p, double value);
/* A point there, filled or not, and a line from point to point */
void svg_point(const struct svg_panel *p, double part, double value,
	       const char *color, bool filled);
void svg_join(const struct svg_panel *p, const double *parts,
	      const double *values, size_t n, const char *color);

/* A square of the colour, and the name */
void svg_legend(FILE *f, double left, double y, const char *color,
		const char *name);
/* The same for the line of a quota */
void svg_legend_quota(FILE *f, double left, double y, const char *name);

#endif /* SCOHORT_SVG_H */
