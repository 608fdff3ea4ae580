/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base.c - random numbers, words about what happens, and what leaves a
 * record with a change of state
 */
#include <stdio.h>

#include "model_check/model.h"

/* splitmix64 */
static uint64_t random_next(struct model *m)
{
	uint64_t z = m->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t draw(struct model *m, uint64_t n)
{
	return (random_next(m) >> 20) % n;
}

bool chance(struct model *m, uint64_t percent)
{
	return draw(m, 100) < percent;
}

void model_fail(struct model *m, const char *format, ...)
{
	va_list args;

	if (*m->error)
		return;
	va_start(args, format);
	vsnprintf(m->error, sizeof(m->error), format, args);
	va_end(args);
}

void model_note(struct model *m, const struct model_job *job, const char *format, ...)
{
	va_list args;

	if (!m->told)
		return;
	printf("# %lld: j%d ", (long long) m->now, (int) (job - m->jobs));
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void model_need(struct model *m, const struct model_job *job, int rc, const char *event)
{
	if (rc < 0)
		model_fail(m, "%s of j%d is refused", event, (int) (job - m->jobs));
}

struct model_job *model_draw(struct model *m)
{
	return &m->jobs[draw(m, MODEL_JOBS)];
}

void model_leave_bond(struct model *m, struct model_job *job)
{
	struct model_job *other = NULL;
	size_t n = 0;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (&m->jobs[i] != job && job->bond && m->jobs[i].bond == job->bond) {
			other = &m->jobs[i];
			n++;
		}
	}
	job->bond = 0;
	if (n == 1)
		other->bond = 0;
}

void model_forget_waiting(struct model *m, struct model_job *job)
{
	model_leave_bond(m, job);
	job->blocked = job->owns = false;
	job->could_evict = 0;
}

void model_forget_running(struct model_job *job)
{
	job->running = job->evicting = job->fixed = false;
	job->exempt = job->cost = 0;
	job->group = job->unit = 0;
}
