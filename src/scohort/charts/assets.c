/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assets.c - what pages are served with; the files are inside the program
 *
 * The assembler takes them in: the Makefile names the folder (ASSETS) and lets
 * this file be compiled again when one of them changes.
 */
#include <string.h>

#include "charts/charts.h"

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
