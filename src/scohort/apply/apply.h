/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.h - another cohort.yaml is put in force, or the old one stays
 */
#ifndef SCOHORT_APPLY_H
#define SCOHORT_APPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "diff/diff.h"

/* Waits until no other scohort changes the cohort.yaml beside slurm.conf. Until this
 * process ends no other one does. False: said on stderr why not. */
bool apply_begin(const char *command);

/* Is this text in the file, and nothing else? */
bool file_holds(const char *path, const char *text, size_t len);

/* Puts this text in the place of the cohort.yaml beside slurm.conf, keeps the
 * old one beside it as cohort.yaml.old, has slurmctld read it, and waits until
 * it is in force. If it is not, the old one is put back and read, unless others have
 * changed the file meanwhile. The old one is what is on disk; `in_force` (or NULL) where
 * that is this text already. Where the text is in force already nothing is done. Prints
 * what went wrong under the name of the command. Returns the exit status. */
int apply_text(const char *text, size_t len, const char *in_force,
	       const struct published *p, const struct controller *controller,
	       const char *command);

/* A file that is to be kept */
struct kept {
	const char *path, *text;
	size_t len;
};

/* install.c: replaces what is at path by a file with this text, of the same mode
 * and owner, and writes what is to be kept (or NULL) before. Others see the old
 * file or the new one, each as a whole. -1 with a message in err. */
int install_text(const char *path, const struct kept *kept, const char *text,
		 size_t len, char *err, size_t size);

/* The commands: print, and return the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_apply(int argc, char **argv);
int cmd_hold(int argc, char **argv);
int cmd_drain(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_set(int argc, char **argv);

#endif /* SCOHORT_APPLY_H */
