/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tell.h - texts, times, files, and the threads that write them
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_TELL_H
#define COHORT_TELL_H

/* ---- reason.c ---- */

/* The text for a job that waits by the plan, of its entry waiting_nearest() */
extern void reason_text(const struct entry *entry, char *text, size_t size);
/* Put it where squeue finds it, not more often than configured */
extern void reason_set(struct job *job, time_t now);
extern void reason_clear(struct job *job);
/* Does a job that has quota wait for nodes only? */
extern bool reason_is_nodes(const struct job *job);
/* Put back texts that the scheduler has overwritten */
extern void reason_restore(void);

/* ---- estimate.c ---- */

extern void estimate_start(void);
/* Something has changed: look ahead once more. */
extern void estimate_due(void);
/* A job that waits by the plan shows what is known of it; one that does not
 * any more shows what Slurm says; one that is out of line shows nothing. */
extern void estimate_show(struct job *job);
extern void estimate_released(struct job *job);
extern void estimate_clear(struct job *job);

/* ---- waker.c ---- */

/* Starts all threads, if they are not there yet. */
extern void waker_start(void);
/* After this pass, put texts back. */
extern void waker_restore_reasons(void);
/* Have the scheduler run soon, or at a certain time at the latest. */
extern void waker_schedule(void);
extern void waker_at(time_t when);
extern void waker_at_ns(int64_t when);	/* 0: never mind */
/* How often the thread has had the job lock to put texts back. If that has
 * changed, who had the lock before has let go of it. */
extern uint32_t waker_turns(void);
/* The state file is to be written. */
extern void waker_save(void);

/* ---- store.c ---- */

#define STORE_LAST_GOOD "cohort.yaml.good"

/* Read the state file, when a term of control begins. */
extern void store_load(void);
/* This cohort.yaml is good: keep it for a start that finds none. NULL: none was. */
extern void store_keep(const char *source);
/* Write what there is to write and is not there yet. No lock may be held. -1 if
 * that failed, which has been told. */
extern int store_save(void);
/* Path of a file in StateSaveLocation, xmalloc'd; under a lock of slurmctld's
 * configuration */
extern char *store_path(const char *name);

/* A file that is written again and again */
struct store_file {
	const char *name;		/* what it is called in messages, or "" */
	const char *loss;		/* what follows from a failure, or "" */
	char *failed;			/* this path could not be written */
	int error;			/* for this reason */
	uint32_t term;			/* of the last try */
};

/* Put text in the place of the file at this path, which others see as a whole, old
 * or new: unless the term of control in which it was made is over. Returns 0, or
 * -1 with errno; a failure is told once for a path and reason. */
extern int store_put(struct store_file *file, const char *path,
		     const char *text, mode_t mode, uint32_t term);

/* ---- count.c ---- */

struct json_object;

/* A job of the queue has started, after so many seconds in line */
extern void count_admission(int queue, time_t waited);
extern void count_eviction(int queue, enum victim_reason reason);
extern void count_pass(uint64_t usec, bool planned);
/* All of them for the state file, and back */
extern struct json_object *count_dump(void);
extern void count_load(struct json_object *o);
extern void count_clear(void);
/* For publication: of one queue; and those that are of none */
extern struct json_object *count_queue_json(const char *queue);
extern struct json_object *count_json(void);

/* ---- publish.c ---- */

extern void publish_start(void);
/* Somebody waits for it: write within a second. */
extern void publish_soon(void);
/* The engine is another one; under the job lock. */
extern void publish_forget(void);

/* ---- asked.c ---- */

/* sbatch --test-only was answered: the job would go now, with the charges and
 * victims of p; or it waits, with a time unless 0 and whom it would evict then
 * (unsure: somebody, not to be foreseen), `later` if that is because its user
 * wants it then, and whether the nodes could ever hold it; or it is of no queue,
 * or held; or it was not looked at. */
extern void asked_goes(const struct place *p);
extern void asked_waits(const struct place *p, time_t start, bool later,
			bool unsure, bool fits);
extern void asked_apart(job_record_t *job_ptr);
extern void asked_postponed(const job_record_t *job_ptr);

/* ---- layout.c ---- */

/* Do our headers fit this slurmctld? If not, ctld.broken is set, with an error
 * in the log: before its settings are read, before partitions and nodes are,
 * and by the first job record. */
extern void layout_check_start(void);
extern void layout_check_tables(void);
extern void layout_check_job(job_record_t *job_ptr);

#endif /* COHORT_TELL_H */
