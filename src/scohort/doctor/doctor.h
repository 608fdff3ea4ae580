/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - scohort doctor: is all well with slurm-cohort on this cluster?
 *
 * A table of looks (doctor.c). Each judges one thing, and says nothing if that is well.
 */
#ifndef SCOHORT_DOCTOR_H
#define SCOHORT_DOCTOR_H

#include "check/check.h"
#include "ledger/published.h"
#include "output/output.h"
#include "slurm/conf_path.h"

enum severity {
	SEVERITY_OK,		/* nothing was found */
	SEVERITY_NOTE,		/* good to know; nothing has to be done */
	SEVERITY_WARNING,
	SEVERITY_ERROR,
	SEVERITIES
};

struct doctor {
	const char *path;	/* of cohort.yaml */
	bool in_place;		/* it is the one beside slurm.conf */
	const char *db;		/* of scohort record */
	bool verbose;		/* list what is well, too */
	int64_t now;		/* seconds */
	bool root;		/* slurmctld shows root all */

	/* what is known; a reason that is not "" says why it is not */
	struct controller controller;
	bool loaded;		/* slurmctld runs our plugins */
	struct checked file;
	struct published published;
	char no_controller[256], no_file[CONF_PATH_MAX + 128], no_published[CONF_PATH_MAX + 256];

	/* the result */
	struct json_object *findings;	/* a list of {group, severity, where, message} */
	struct json_object *unknown;	/* a list of {why, what}: could not be looked at */
	size_t said;			/* grows with each of both */
	size_t counts[SEVERITIES];
	int64_t looks;			/* how many were made */
	const char *group;		/* of the look that is made */
	char place[CONF_PATH_MAX + 16];
};

/* ---- findings.c ---- */

/* where: a file with its line, or a setting; the message says what is wrong, and what to do */
void found(struct doctor *d, enum severity severity, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A line of cohort.yaml as such a place; 0: the file. Until the next call. */
const char *found_line(struct doctor *d, int line);
/* The same of a message about cohort.yaml ("FILE:LINE: warning: ..."): fits conf_report_f */
void found_in_file(void *doctor, bool warning, const char *message);
void found_unknown(struct doctor *d, const char *what, const char *why);

void findings_print(const struct doctor *d, const struct output *out);
struct json_object *findings_document(const struct doctor *d);

/* ---- looks; what each needs is in the table of doctor.c ---- */

/* settings.c */
void look_plugins(struct doctor *d);
void look_slurm_conf(struct doctor *d);
void look_settings(struct doctor *d);
void look_preempt_mode(struct doctor *d);
void look_parameters(struct doctor *d);

/* rules.c */
void look_memory(struct doctor *d);
void look_accounts(struct doctor *d);
void look_policies(struct doctor *d);
void look_times(struct doctor *d);
void look_window(struct doctor *d);
void look_mutual(struct doctor *d);

/* outside.c */
void look_outside(struct doctor *d);

/* in_force.c */
void look_enforcement(struct doctor *d);
void look_in_force(struct doctor *d);
void look_fresh(struct doctor *d);
void look_readable(struct doctor *d);
void look_recorder(struct doctor *d);

#endif /* SCOHORT_DOCTOR_H */
