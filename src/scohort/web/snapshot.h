/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.h - the published document, read again when the file is another one
 */
#ifndef SCOHORT_SNAPSHOT_H
#define SCOHORT_SNAPSHOT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "ledger/published.h"

struct snapshot {
	struct published p;	/* its document is NULL if there is none */
	char error[PATH_MAX + 256];	/* why there is none */
	struct stat file;	/* which file was read */
	int64_t looked;		/* seconds since the epoch */
	int64_t found;		/* the same, when its path was looked up */
	uint64_t version;	/* another number for each reading */
};

/* Looks at the file, once a second at most, and reads it if it has changed.
 * A file that can't be read, or that slurmctld did not write, leaves no
 * document and an error. Where the file is, is looked up once a minute. */
void snapshot_refresh(struct snapshot *s, int64_t now);
void snapshot_close(struct snapshot *s);

#endif /* SCOHORT_SNAPSHOT_H */
