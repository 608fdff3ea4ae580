/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charts.c - a page with charts that needs no other file
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "charts/charts.h"
#include "input/json_members.h"
#include "output/output.h"

/* ---- files inside the program ----
 *
 * The assembler takes them in: the Makefile names the folder (ASSETS) and lets this file be
 * compiled again when one of them changes. */

#define ASSET(name, file)						\
	extern const char name##_begin[], name##_end[];			\
	__asm__(".section .rodata\n"					\
		".global " #name "_begin, " #name "_end\n"		\
		#name "_begin:\n.incbin \"" ASSETS "/" file "\"\n"	\
		#name "_end:\n.byte 0\n.previous\n")

ASSET(asset_style, "style.css");
ASSET(asset_live, "live.js");
ASSET(asset_icon, "icon.svg");
ASSET(asset_charts, "charts.js");
ASSET(asset_plots, "uplot/uplot.js");
ASSET(asset_plots_style, "uplot/uplot.css");

static const struct asset assets[] = {
	{ "/style.css", "text/css; charset=utf-8", asset_style_begin, asset_style_end },
	{ "/live.js", "text/javascript; charset=utf-8", asset_live_begin, asset_live_end },
	{ "/charts.js", "text/javascript; charset=utf-8", asset_charts_begin, asset_charts_end },
	{ "/uplot.js", "text/javascript; charset=utf-8", asset_plots_begin, asset_plots_end },
	{ "/uplot.css", "text/css; charset=utf-8", asset_plots_style_begin, asset_plots_style_end },
	{ "/icon.svg", "image/svg+xml", asset_icon_begin, asset_icon_end },
};

const struct asset *asset_find(const char *path)
{
	for (size_t i = 0; i < sizeof(assets) / sizeof(*assets); i++)
		if (!strcmp(path, assets[i].path))
			return &assets[i];
	return NULL;
}

/* ---- charts ---- */

struct json_object *chart_add(struct json_object *list, const char *title,
			      const char *unit, bool stacked)
{
	struct json_object *chart = json_append(list);

	json_add_text(chart, "title", title);
	json_add_text(chart, "unit", unit);
	json_add_truth(chart, "stacked", stacked);
	json_add_list(chart, "series");
	return chart;
}

void chart_values(struct json_object *chart, bool line, const char *name,
		  const double *values, size_t n)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();
	char digits[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(digits, sizeof(digits), "%.6g", values[i]);
		json_object_array_add(list, json_object_new_double_s(values[i], digits));
	}
	json_add_text(o, "name", name);
	json_object_object_add(o, "values", list);
	if (line)
		json_object_object_add(chart, "line", o);
	else
		json_object_array_add(json_member(chart, "series"), o);
}

static void asset_put(FILE *f, const char *path)
{
	const struct asset *a = asset_find(path);

	fwrite(a->begin, 1, (size_t) (a->end - a->begin), f);
}

/* Names may have "<": no text of a script ends it */
static void data_put(FILE *f, struct json_object *charts)
{
	const char *text = json_object_to_json_string_ext(charts, JSON_C_TO_STRING_PLAIN);

	for (; *text; text++)
		fputs(*text == '<' ? "\\u003c" : (char[]) { *text, 0 }, f);
}

static void page_put(FILE *f, struct json_object *charts)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<title>slurm-cohort</title>\n<style>\n", f);
	asset_put(f, "/style.css");
	asset_put(f, "/uplot.css");
	fputs("</style>\n</head>\n<body>\n<main id=\"charts\"></main>\n"
	      "<script type=\"application/json\" id=\"data\">", f);
	data_put(f, charts);
	fputs("</script>\n<script>\n", f);
	asset_put(f, "/uplot.js");
	fputs("\n</script>\n<script>\n", f);
	asset_put(f, "/charts.js");
	fputs("</script>\n</body>\n</html>\n", f);
}

bool charts_write(const char *path, struct json_object *charts)
{
	FILE *f = fopen(path, "we");
	bool done = f;

	if (f) {
		page_put(f, charts);
		done = !ferror(f);
		done &= !fclose(f);
	}
	return done || complain("%.300s: cannot be written: %s", path, strerror(errno));
}
