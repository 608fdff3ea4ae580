/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg.c - a drawing: panels with a value over time, in steps
 */
#include <stdint.h>
#include <string.h>

#include "output/svg.h"
#include "output/text.h"
#include "text/printable.h"

/* The scheme "muted" of Paul Tol, "Colour Schemes" (SRON/EPS/TN/09-002), with its
 * grey darker, as lines have it, too; and the same with stripes */
static const char *const colors[] = {
	"#40166f", "#83dfff", "#289fa0", "#066822", "#879024",
	"#f1dc84", "#f58675", "#882255", "#9d48a6", "#ffb735",
	"url(#s0)", "url(#s1)", "url(#s2)", "url(#s3)", "url(#s4)",
	"url(#s5)", "url(#s6)", "url(#s7)", "url(#s8)", "url(#s9)",
};

#define NCOLORS (sizeof(colors) / sizeof(colors[0]))

const char *svg_color(size_t i)
{
	return colors[i % NCOLORS];
}

static void stripes_define(FILE *f)
{
	fputs("<defs>\n", f);
	for (size_t i = 0; i < NCOLORS / 2; i++)
		fprintf(f, "<pattern id=\"s%zu\" width=\"8\" height=\"8\" "
			"patternUnits=\"userSpaceOnUse\" "
			"patternTransform=\"rotate(45)\"><rect width=\"5\" "
			"height=\"8\" fill=\"%s\"/></pattern>\n", i, colors[i]);
	fputs("</defs>\n", f);
}

void svg_begin(FILE *f, double width, double height)
{
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n"
		"<style>text{font:12px sans-serif}.grid{stroke:#ddd}"
		".quota{stroke:#000;stroke-dasharray:6 4}"
		"polyline{fill:none;stroke-width:1.5}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		width, height, width, height);
	stripes_define(f);
}

void svg_end(FILE *f)
{
	fputs("</svg>\n", f);
}

void svg_text(FILE *f, double x, double y, const char *anchor,
	      const char *text)
{
	char shown[1024] = "";

	printable_append(shown, sizeof(shown), text, sizeof(shown));
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		anchor);
	for (const char *c = shown; *c; c++) {
		if (*c == '<')
			fputs("&lt;", f);
		else if (*c == '&')
			fputs("&amp;", f);
		else
			fputc(*c, f);
	}
	fputs("</text>\n", f);
}

/* ---- axes ---- */

double svg_x(const struct svg_panel *p, double part)
{
	return p->left + part * SVG_WIDTH;
}

static double panel_x(const struct svg_panel *p, size_t edge)
{
	return svg_x(p, p->edges ? p->edges[edge]
				 : (double) edge / (double) p->n);
}

double svg_y(const struct svg_panel *p, double value)
{
	return p->top + SVG_HEIGHT - value / p->most * SVG_HEIGHT;
}

double svg_tick(double most)
{
	double tick = 1e-6;

	for (int i = 0; most / tick > 6; i++)
		tick *= i % 3 == 1 ? 2.5 : 2;
	return tick;
}

void svg_values(const struct svg_panel *p, const char *resource)
{
	double tick = svg_tick(p->most);
	char text[TEXT_SIZE];

	for (double v = 0; v <= p->most * 1.0001; v += tick) {
		fprintf(p->f, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" "
			"x2=\"%.1f\" y2=\"%.1f\"/>\n", p->left, svg_y(p, v),
			p->left + SVG_WIDTH, svg_y(p, v));
		if (!strcmp(resource, "mem"))
			text_amount(text, sizeof(text), "mem", (int64_t) v);
		else
			snprintf(text, sizeof(text), "%g", v);
		svg_text(p->f, p->left - 6, svg_y(p, v) + 4, "end", text);
	}
}

void svg_time(const struct svg_panel *p, double part, const char *text)
{
	svg_text(p->f, svg_x(p, part), p->top + SVG_HEIGHT + 16,
		 "middle", text);
}

/* ---- values ---- */

static void steps_draw(const struct svg_panel *p, const double *values)
{
	for (size_t i = 0; i < p->n; i++)
		fprintf(p->f, "%.1f,%.1f %.1f,%.1f ", panel_x(p, i),
			svg_y(p, values[i]), panel_x(p, i + 1),
			svg_y(p, values[i]));
}

void svg_area(const struct svg_panel *p, const double *low, const double *high,
	      const char *color)
{
	fputs("<polygon points=\"", p->f);
	steps_draw(p, high);
	for (size_t i = p->n; i-- > 0; )
		fprintf(p->f, "%.1f,%.1f %.1f,%.1f ", panel_x(p, i + 1),
			svg_y(p, low[i]), panel_x(p, i), svg_y(p, low[i]));
	fprintf(p->f, "\" fill=\"%s\"/>\n", color);
}

void svg_line(const struct svg_panel *p, const double *values,
	      const char *color)
{
	fputs("<polyline points=\"", p->f);
	steps_draw(p, values);
	fprintf(p->f, "\" stroke=\"%s\"/>\n", color);
}

void svg_quota(const struct svg_panel *p, double value)
{
	fprintf(p->f, "<line class=\"quota\" x1=\"%.1f\" y1=\"%.1f\" "
		"x2=\"%.1f\" y2=\"%.1f\"/>\n", p->left, svg_y(p, value),
		p->left + SVG_WIDTH, svg_y(p, value));
}

void svg_quota_steps(const struct svg_panel *p, const double *values)
{
	fputs("<polyline class=\"quota\" points=\"", p->f);
	steps_draw(p, values);
	fputs("\"/>\n", p->f);
}

void svg_point(const struct svg_panel *p, double part, double value,
	       const char *color, bool filled)
{
	fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" stroke=\"%s\" "
		"fill=\"%s\"/>\n", svg_x(p, part), svg_y(p, value), color,
		filled ? color : "#fff");
}

void svg_join(const struct svg_panel *p, const double *parts,
	      const double *values, size_t n, const char *color)
{
	fputs("<polyline points=\"", p->f);
	for (size_t i = 0; i < n; i++)
		fprintf(p->f, "%.1f,%.1f ", svg_x(p, parts[i]),
			svg_y(p, values[i]));
	fprintf(p->f, "\" stroke=\"%s\"/>\n", color);
}

void svg_legend(FILE *f, double left, double y, const char *color,
		const char *name)
{
	fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" "
		"height=\"12\" fill=\"%s\"/>\n", left, y - 10, color);
	svg_text(f, left + 18, y, "start", name);
}

void svg_legend_quota(FILE *f, double left, double y, const char *name)
{
	fprintf(f, "<line class=\"quota\" x1=\"%.1f\" y1=\"%.1f\" "
		"x2=\"%.1f\" y2=\"%.1f\"/>\n", left - 6, y - 4, left + 12,
		y - 4);
	svg_text(f, left + 18, y, "start", name);
}
