/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.c - the published document, read again when the file is another one
 */
#include <string.h>

#include "web/snapshot.h"

/* How often cohort.yaml is asked where the file is */
#define FIND_SECONDS 60

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev
	       && a->st_size == b->st_size
	       && a->st_mtim.tv_sec == b->st_mtim.tv_sec
	       && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The file may be replaced while it is read: so it counts as the one that was
 * there before, and is read once more. */
static void document_read(struct snapshot *s)
{
	struct published next = { NULL, NULL };
	struct stat file = { 0 };
	char error[sizeof(s->error)] = "";
	bool same_path;

	if (s->p.path && stat(s->p.path, &file))
		memset(&file, 0, sizeof(file));
	if (published_open_alone(&next, error, sizeof(error))) {
		json_object_put(next.document);
		next.document = NULL;
	}
	same_path = s->p.path && next.path && !strcmp(s->p.path, next.path);
	if (same_path && next.document && s->p.document
	    && is_same_file(&file, &s->file)) {
		published_close(&next);
		return;
	}
	published_close(&s->p);
	s->p = next;
	memcpy(s->error, error, sizeof(error));
	s->file = same_path ? file : (struct stat) { 0 };
	s->version++;
}

void snapshot_refresh(struct snapshot *s, int64_t now)
{
	struct stat file = { 0 };

	if (s->version && now == s->looked)
		return;
	s->looked = now;
	if (s->p.document && now - s->found < FIND_SECONDS
	    && !stat(s->p.path, &file) && is_same_file(&file, &s->file))
		return;
	if (now - s->found >= FIND_SECONDS || now < s->found)
		s->found = now;
	document_read(s);
}

void snapshot_close(struct snapshot *s)
{
	published_close(&s->p);
}
