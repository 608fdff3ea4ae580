/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - scohort status --names: what there is, for completion by a shell
 */
#ifndef SCOHORT_NAMES_H
#define SCOHORT_NAMES_H

/* Prints "KIND NAME" in a line each: cohort, queue, flavor, resource (which may come
 * more than once), from the published file, without slurmctld. Prints errors
 * under the name of the command; returns the exit status. */
int names_print(const char *command);

#endif /* SCOHORT_NAMES_H */
