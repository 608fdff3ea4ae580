/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  comment.c - what is noted of an eviction in the victim's system_comment
 *
 *  It stays there past requeue and restart until the job ends, or is evicted
 *  again. Programs read it: placement/evict.c has the form. slurmctld sends
 *  no system_comment to slurmdbd, but, when a run ends, admin_comment.
\*****************************************************************************/
#include "record/comment.h"

#define ADMIN_BEGIN "[slurm-cohort: "

static void _time_text(char *text, size_t size, time_t now)
{
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

extern char *comment_of_preempted(uint32_t preemptor_id,
				  const char *preemptor_queue, const char *why,
				  time_t now)
{
	char when[32], *text = NULL;

	_time_text(when, sizeof(when), now);
	xstrfmtcat(text, "preempted at %s by job %u (cluster queue %s), %s",
		   when, preemptor_id, preemptor_queue, why);
	return text;
}

extern void comment_preempted(job_record_t *job_ptr, const char *text,
			      time_t now)
{
	xfree(job_ptr->system_comment);
	job_ptr->system_comment = xstrdup(text);
	last_job_update = now;
}

extern void comment_drained(job_record_t *job_ptr, const char *queue,
			    time_t now)
{
	char when[32];

	_time_text(when, sizeof(when), now);
	xfree(job_ptr->system_comment);
	xstrfmtcat(job_ptr->system_comment,
		   "drained at %s, cluster queue %s has stopPolicy HoldAndDrain",
		   when, queue);
	last_job_update = now;
}

/* Where our part begins, with the blank before it, and where it ends; NULL: there
 * is none. No name that may stand in it has a bracket. */
static char *_admin_part(char *text, char **end)
{
	char *at = xstrstr(text, ADMIN_BEGIN);

	if (!at || !(*end = strchr(at, ']')))
		return NULL;
	(*end)++;
	return (at > text) && (at[-1] == ' ') ? at - 1 : at;
}

extern void comment_clear_admin(job_record_t *job_ptr)
{
	char *end, *at = _admin_part(job_ptr->admin_comment, &end);

	if (!at)
		return;
	memmove(at, end, strlen(end) + 1);
	if (!job_ptr->admin_comment[0])
		xfree(job_ptr->admin_comment);
	last_job_update = time(NULL);
}

extern void comment_add_admin(job_record_t *job_ptr, const char *text)
{
	comment_clear_admin(job_ptr);
	xstrfmtcat(job_ptr->admin_comment, "%s" ADMIN_BEGIN "%s]",
		   job_ptr->admin_comment ? " " : "", text);
}

extern void comment_copy(job_record_t *to, const job_record_t *from)
{
	xfree(to->system_comment);
	to->system_comment = xstrdup(from->system_comment);
}

extern void comment_clear(job_record_t *job_ptr)
{
	xfree(job_ptr->system_comment);
}

#define ALL ", preemption "
#define TURNS ", turns "
#define LOST ", counted "

extern void comment_add_evictions(char **text, const struct evictions *evictions,
				  int max)
{
	xstrfmtcat(*text, ALL "%u", evictions->count + evictions->turns);
	if (evictions->turns)
		xstrfmtcat(*text, TURNS "%u", evictions->turns);
	xstrfmtcat(*text, LOST "%u", evictions->lost);
	if (max)
		xstrfmtcat(*text, " of %d", max);
}

/* The number behind these words, but at most so much; otherwise, if it is not there */
static uint32_t _number(const char *text, const char *words, uint32_t most,
			uint32_t otherwise)
{
	const char *at = xstrstr(text, words);

	return at ? MIN(strtoul(at + strlen(words), NULL, 10), most) : otherwise;
}

/* Before there was a number that counts, all evictions did. */
extern struct evictions comment_evictions(const job_record_t *job_ptr)
{
	const char *text = job_ptr->system_comment;
	struct evictions evictions = { 0 };
	uint32_t all;

	if (xstrncmp(text, "preempted at ", 13))
		return evictions;
	all = _number(text, ALL, UINT32_MAX, 0);
	evictions.turns = _number(text, TURNS, all, 0);
	evictions.count = all - evictions.turns;
	evictions.lost = _number(text, LOST, evictions.count, evictions.count);
	return evictions;
}
