/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.h - another cohort.yaml is put in force, or the old one stays
 */
#ifndef SCOHORT_APPLY_H
#define SCOHORT_APPLY_H

#include <stddef.h>

#include "diff/diff.h"

/* Puts this text in the place of the cohort.yaml beside slurm.conf, keeps the
 * old one beside it as cohort.yaml.old, has slurmctld read it, and waits until
 * it is in force. If it is not, the old one is put back and read. Prints what
 * went wrong under the name of the command. Returns the exit status. */
int apply_text(const char *text, size_t len, const struct published *p,
	       const struct controller *controller, const char *command);

/* install.c: replaces path by a file with this text, mode and owner as those of
 * the old one, which is kept as keep (NULL: it is not). Others see the one or
 * the other, each as a whole. -1 with a message in err. */
int install_text(const char *path, const char *keep, const char *text,
		 size_t len, char *err, size_t size);

/* The commands: print, and return the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_apply(int argc, char **argv);
int cmd_hold(int argc, char **argv);
int cmd_drain(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_set(int argc, char **argv);

#endif /* SCOHORT_APPLY_H */
