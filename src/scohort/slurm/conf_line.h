/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_line.h - lines of slurm.conf, and the pairs of key and value in them
 *
 * As Slurm reads them (parse_config.c): a '#' begins a comment, a '\' at the end of a line
 * joins it with the next one, a '\' before another character stands for that. This takes more
 * than Slurm does, so that nothing private is missed: any line may have several pairs.
 */
#ifndef SCOHORT_CONF_LINE_H
#define SCOHORT_CONF_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct conf_line {
	char *text;		/* the caller frees it */
	size_t size;
	bool failed;		/* no memory, or the file can't be read further */
};

/* The next one. False: there are no more, or it has failed */
bool conf_line_read(struct conf_line *line, FILE *file);

/* 'Key = value' or 'Key="value"' at *rest: cut off in place, *rest is what follows. False:
 * there is no pair. */
bool conf_line_pair(char **rest, char **key, char **value);

#endif /* SCOHORT_CONF_LINE_H */
