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

extern void complaint_add(struct complaint *c, int64_t n, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	slurm_mutex_lock(&c->lock);
	c->count += n;
	vsnprintf(c->reason, sizeof(c->reason), format, ap);
	slurm_mutex_unlock(&c->lock);
	va_end(ap);
}

extern void complaint_tell(struct complaint *c)
{
	uint64_t now = clock_usec();
	char reason[sizeof(c->reason)];
	int64_t n;

	slurm_mutex_lock(&c->lock);
	n = c->count - c->logged;
	if (c->logged_at && (now - c->logged_at < INTERVAL_USEC))
		n = 0;
	if (n) {
		memcpy(reason, c->reason, sizeof(reason));
		c->logged = c->count;
		c->logged_at = now;
	}
	slurm_mutex_unlock(&c->lock);
	if (n)		/* the log may be slow */
		error(PREFIX "%s: %"PRId64": %s", c->what, n, reason);
}
