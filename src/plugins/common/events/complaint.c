/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  complaint.c - what goes wrong again and again, in the log once a minute
\*****************************************************************************/
#include <stdarg.h>
#include <stdio.h>

#include "events/complaint.h"

#include "state/state.h"
#include "slurm/clock.h"

#define INTERVAL_USEC 60000000

extern void complaint_add(struct complaint *c, const char *format, ...)
{
	char reason[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	slurm_mutex_lock(&c->lock);
	c->count++;
	c->untold++;
	xfree(c->reason);
	c->reason = xstrdup(reason);
	slurm_mutex_unlock(&c->lock);
}

extern int64_t complaint_count(struct complaint *c)
{
	int64_t count;

	slurm_mutex_lock(&c->lock);
	count = c->count;
	slurm_mutex_unlock(&c->lock);
	return count;
}

extern void complaint_tell(struct complaint *c)
{
	uint64_t now = clock_usec();
	char *reason = NULL;
	int64_t n = 0;

	slurm_mutex_lock(&c->lock);
	if (c->untold &&
	    (!c->told_at || (now - c->told_at >= INTERVAL_USEC))) {
		n = c->untold;
		reason = c->reason;
		c->reason = NULL;
		c->untold = 0;
		c->told_at = now;
	}
	slurm_mutex_unlock(&c->lock);
	if (n)		/* the log may be slow */
		error(PREFIX "%s: %"PRId64": %s", c->what, n, reason);
	xfree(reason);
}
