/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.h - cohort.yaml
 *
 * conf_read_text() reads a whole document and reports every error it finds, each
 * with file, line, path, value and what would be right; the result is
 * published only if there was none. The keys are documented in
 * cohort.yaml(5). JSON is YAML, so both are accepted.
 *
 * Amounts: cpu is a count, mem is MB (suffixes K, M, G, T, P as in Slurm,
 * 1024-based), everything else a count (same suffixes, 1024-based). Times:
 * Slurm's formats, and 30s, 10m, 4h, 2d.
 */
#ifndef COHORT_CONF_H
#define COHORT_CONF_H

#include <sys/types.h>

#include "spec.h"

enum conf_priority { CONF_PRIORITY_DEFAULT, CONF_PRIORITY_QOS,
		     CONF_PRIORITY_PARTITION, CONF_PRIORITY_JOB };
enum conf_unmanaged { CONF_UNMANAGED_NONE, CONF_UNMANAGED_QOS,
		      CONF_UNMANAGED_PARTITION_PRIO };
enum conf_local_queue { CONF_LOCAL_ACCOUNT, CONF_LOCAL_USER };

/* A flavor's nodes: all that satisfy every key that is set. Same index as in
 * spec->flavors. */
struct conf_flavor {
	char *features;		/* "a100&nvlink" or NULL */
	char *nodes;		/* hostlist or NULL */
	char *partitions;	/* comma separated or NULL */
	int line;
};

/* A rule of a queue's match list; all keys that are set must hold. Each is a
 * shell pattern (fnmatch). */
struct conf_match {
	char *partition;
	char *qos;
	char *account;
	char *user;
	int line;
};

struct conf_queue {		/* same index as spec->queues */
	struct conf_match *matches;
	size_t nmatches;
	int line;
};

struct conf {
	struct spec *spec;
	bool observe;			/* enforcement: observe */
	enum conf_priority priority;
	enum conf_unmanaged unmanaged;
	enum conf_local_queue local_queue;
	int64_t update_interval;	/* visibility.updateInterval, ns */
	int64_t max_position;		/* visibility.maxPosition */
	bool comments;			/* visibility.comments */
	char *publish;			/* visibility.publish; NULL: beside the
					 * state file */
	int64_t own_timeout;		/* preemptorTimeout: how long freed quota
					 * waits for its preemptor, ns */
	struct conf_flavor *flavors;
	struct conf_queue *queues;
	char *source;			/* the text it was read from */
	char *file;
	size_t warnings;
};

/* One message, complete, without newline: "FILE:LINE: PATH: what is wrong".
 * A warning's text starts with "warning: " after the line. */
typedef void (*conf_report_f)(void *arg, bool warning, const char *message);

/* Reads text[0..len) under the name `file`. NULL if there was any error; each
 * was reported. The result is the caller's, freed with conf_destroy(). */
struct conf *conf_read_text(const char *file, const char *text, size_t len,
			conf_report_f report, void *arg);

/* Same from a path; a file that cannot be read is reported like an error. */
struct conf *conf_load(const char *path, conf_report_f report, void *arg);

/* Same for slurmctld: from a regular file that only root and `owner` can write, and
 * without waiting for anybody. */
struct conf *conf_load_trusted(const char *path, uid_t owner,
			       conf_report_f report, void *arg);

void conf_destroy(struct conf *conf);

/* Names that only Slurm can judge. Each look-up returns true if the name is
 * known; one that is NULL is not asked. Returns the number of errors. */
struct conf_names {
	bool (*partition)(void *arg, const char *name);
	bool (*nodes)(void *arg, const char *hostlist, char *bad, size_t size);
	bool (*feature)(void *arg, const char *name);
	bool (*qos)(void *arg, const char *name);
	bool (*account)(void *arg, const char *name);
	bool (*resource)(void *arg, const char *tres);
	void *arg;
};
int conf_check_names(const struct conf *conf, const struct conf_names *names,
		     conf_report_f report, void *arg);

/* The first queue in the file that matches; SPEC_NONE if none does. A NULL
 * value matches only rules that do not ask for it. */
int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user);

#endif /* COHORT_CONF_H */
