/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * published.h - the file that the plugin publishes (plugins/common/tell)
 *
 * A JSON document: scohort.1 has its form. An absent member reads as 0, "" or
 * an empty list.
 */
#ifndef SCOHORT_PUBLISHED_H
#define SCOHORT_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <json.h>

#include "slurm/controller.h"

struct conf;

struct published {
	struct json_object *document;	/* NULL: it could not be read, or slurmctld did not write
					 * it: then its cohorts may be no trees */
	char *path;
	struct stat file;	/* which one was read */
};

/* Finds and reads it: $SCOHORT_PUBLISH, else visibility.publish of the
 * cohort.yaml beside slurm.conf if there is a readable one, else
 * cohort_status.json in StateSaveLocation. Returns STATUS_OK; STATUS_DENIED or
 * STATUS_FAILED with a message in err that names the file. */
int published_open(struct published *p, const struct controller *controller,
		   char *err, size_t size);
/* The same without slurmctld: StateSaveLocation is from slurm.conf. */
int published_open_alone(struct published *p, char *err, size_t size);
/* Frees it; a zeroed struct, or one that was not opened, may be closed as
 * well. */
void published_close(struct published *p);

/* Opens both slurmctld and the file, for commands that need both: prints errors
 * and returns the exit status. Warns of a file older than slurmctld's start. Both
 * are to be closed in any case. */
int published_open_live(struct published *p, struct controller *controller);

/* The cohort.yaml beside this host's slurm.conf, to be freed with conf_destroy(). NULL: there
 * is none, it cannot be read, or it has errors, which are not reported. */
struct conf *local_conf_load(void);

/* False: cohort.yaml is not in force as it is on disk, by what slurmctld has
 * published; buf has a sentence or two that say why. */
bool config_is_in_force(struct json_object *document, int64_t now, char *buf, size_t size);

#endif /* SCOHORT_PUBLISHED_H */
