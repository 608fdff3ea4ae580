/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assets.h - what pages are served with; the files are inside the program
 */
#ifndef SCOHORT_ASSETS_H
#define SCOHORT_ASSETS_H

#include <stddef.h>

struct asset {
	const char *path;	/* "/style.css" */
	const char *type;
	const char *begin, *end;
};

/* NULL: there is none at that path */
const struct asset *asset_find(const char *path);

#endif /* SCOHORT_ASSETS_H */
