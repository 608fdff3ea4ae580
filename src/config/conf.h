/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - cohort.yaml
 *
 * conf_read_text() reads a whole document and reports every error that it
 * finds, each with file, line, path, value and what would be right. The result
 * is published only if there was no error. The keys are documented in
 * cohort.yaml(5). JSON is YAML, so both are accepted.
 *
 * Amounts: cpu is a count, mem is MB (suffixes K, M, G, T, P as in Slurm,
 * 1024-based), everything else a count (same suffixes, 1024-based). Times:
 * Slurm's formats, and 30s, 10m, 4h, 2d.
 */
#ifndef COHORT_CONF_H
#define COHORT_CONF_H

#include <sys/types.h>

#include "model/model.h"
#include "text/message.h"

/* Reads text[0..len) under the name `file`. NULL if there was any error; each
 * one was reported. The result is the caller's, to be freed with
 * conf_destroy(). */
struct conf *conf_read_text(const char *file, const char *text, size_t len,
			conf_report_f report, void *arg);

/* Same from a path; a file that cannot be read is reported like an error. */
struct conf *conf_load(const char *path, conf_report_f report, void *arg);

/* The same for slurmctld: from a regular file that only root and `owner` can
 * write, and without waiting for a writer. */
struct conf *conf_load_trusted(const char *path, uid_t owner, conf_report_f report, void *arg);

/* Names that only Slurm can judge. Each look-up returns true if the name is
 * known. A look-up that is NULL is not called. Returns the number of errors. */
struct conf_names {
	bool (*partition)(void *arg, const char *name);
	bool (*nodes)(void *arg, const char *hostlist, char *bad, size_t size);
	bool (*feature)(void *arg, const char *name);
	bool (*qos)(void *arg, const char *name);
	bool (*account)(void *arg, const char *name);
	bool (*resource)(void *arg, const char *tres);
	/* May slurmctld run it? If not, err says why: "is not executable". */
	bool (*program)(void *arg, const char *path, char *err, size_t size);
	bool (*usage)(void *arg);	/* it keeps the usage of associations */
	void *arg;
};
int conf_check_names(const struct conf *conf, const struct conf_names *names,
		     conf_report_f report, void *arg);

#endif /* COHORT_CONF_H */
