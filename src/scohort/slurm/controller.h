/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * controller.h - slurmctld: is it up, where does it keep its state?
 *
 * libslurm tries for minutes to reach a slurmctld that is down. Here every
 * question has a time limit of some seconds.
 */
#ifndef SCOHORT_CONTROLLER_H
#define SCOHORT_CONTROLLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COHORT_PLUGIN "preempt/cohort"	/* PreemptType with our plugins */

struct controller {
	char *state_dir;	/* StateSaveLocation */
	char *slurm_conf;	/* path on the controller's host */
	char *preempt_type;
	char *gres_types;	/* GresTypes: "gpu,shard" */
	char *settings;		/* all of slurm.conf that slurmctld uses, as scontrol shows it:
				 * lines with KEY = VALUE; or NULL */
	uint32_t max_nodes;	/* MaxNodeCount, 0: not set */
	bool accounts_needed;	/* AccountingStorageEnforce has associations */
	bool keeps_usage;	/* of associations: priority/multifactor, slurmdbd */
	bool private_jobs;	/* PrivateData has jobs */
	int64_t boot_time;	/* seconds since the epoch */
	uint32_t slurm_user;	/* uid of SlurmUser */
};

/* Asks slurmctld for its configuration. Returns STATUS_OK, or STATUS_DOWN with
 * a message in err. */
int controller_open(struct controller *controller, char *err, size_t size);
/* Frees the texts; a controller that could not be opened may be closed too. */
void controller_close(struct controller *controller);

/* Writes the value that slurmctld uses for this key of slurm.conf. False: it has none, or that
 * is not known; value is "". */
bool controller_setting(const struct controller *controller, const char *key, char *value,
			size_t size);

/* The same, and checks that slurmctld runs our plugins: if not, STATUS_FAILED.
 * Prints errors. */
int controller_open_cohort(struct controller *controller);

/* ---- calls that may take too long ---- */

/* Runs f(arg) in a thread and waits for it, for so many seconds at most. False:
 * it has not returned. It may still run: what arg points to must stay valid.
 * The program can go on and exit all the same. */
bool timed_call(void (*f)(void *arg), void *arg, int seconds);

/* Asks slurmctld by f(arg), which sets *error to an error of Slurm, or 0. False with a
 * message in err: there is no answer; *error is not 0 if that is an error of Slurm. */
bool timed_question(void (*f)(void *arg), void *arg, const int *error, char *err, size_t size);

#endif /* SCOHORT_CONTROLLER_H */
