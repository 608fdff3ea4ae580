/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  store.c - StateSaveLocation/cohort_state
 *
 *  JSON with a version, written beside and renamed. It holds what job records
 *  can't give back: the place in the FIFO order of jobs that were requeued, how
 *  often they were evicted and when because of their turn, which flavor a
 *  running job is charged on where its nodes leave that open, which jobs own
 *  the freed quota and nodes, and the counters. A lost or damaged file costs
 *  order, never a job.
\*****************************************************************************/
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "statefile/store.h"

#include "state/json.h"
#include "slurm/worker.h"
#include "tally/tally.h"
#include "tell/tell.h"

#define RETRY_NS (10 * SPEC_SEC)	/* after a write that failed */

static struct {
	pthread_mutex_t lock;		/* one thread writes at a time */
	char *account;			/* the sums that were taken last */
	bool damaged;			/* under the job lock: the file is to be kept aside */
} store = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* ---- writing ---- */

static struct written_file state_file = {
	.name = "", .loss = ": its content is lost at a restart",
};
static struct written_file good_file = { .name = "", .loss = "" };

/* People may want to look at a file that this term found and could not read. */
static void _keep_aside(const char *path)
{
	char *aside = NULL;

	xstrfmtcat(aside, "%s.damaged", path);
	if (!rename(path, aside))
		info(PREFIX "the damaged %s is kept as %s", path, aside);
	else if (errno != ENOENT)
		error(PREFIX "can't keep the damaged %s as %s: %m", path, aside);
	xfree(aside);
}

/* The file to write: taken under the job lock, printed and used without it */
struct saving {
	struct json_object *state;
	struct account_copy *account;	/* NULL: that was written last */
	char *path, *good_path;
	char *good;			/* cohort.yaml, for a start that finds none; or NULL */
	bool damaged;
	uint32_t term;
};

static bool _take(struct saving *s, bool last)
{
	if (!control_lock())
		return false;
	*s = (struct saving) {
		.state = content_dump(last), .path = file_state_path("cohort_state"),
		.good_path = file_state_path(CONFIG_LAST_GOOD),
		.good = config_is_good() ? xstrdup(ctld.conf->source) : NULL,
		.damaged = store.damaged, .term = control_term(),
	};
	s->account = account_to_save(last || !store.account);
	store.damaged = false;
	control_unlock();
	return true;
}

/* The sums are the last ones that were taken. */
static char *_text(struct saving *s)
{
	struct json_object *account;
	char *text;

	if (s->account) {
		account = account_json(s->account);
		xfree(store.account);
		store.account = xstrdup(json_object_to_json_string_ext(
			account, JSON_C_TO_STRING_PLAIN));
		json_object_put(account);
	}
	if (store.account)
		json_add(s->state, "account", json_printed(xstrdup(store.account)));
	text = xstrdup(json_object_to_json_string_ext(s->state,
						      JSON_C_TO_STRING_PRETTY));
	json_object_put(s->state);
	return text;
}

static int _save(struct saving *s)
{
	char *text = _text(s);
	int rc;

	if (s->damaged && control_is_in(s->term))
		_keep_aside(s->path);
	/* most starts and ends do not change it */
	rc = file_put(&state_file, s->path, text, text, 0600, s->term);
	xfree(text);
	if (s->good && file_put(&good_file, s->good_path, s->good, s->good, 0600, s->term))
		rc = -1;
	xfree(s->good);
	xfree(s->path);
	xfree(s->good_path);
	return rc;
}

extern int store_save(bool last)
{
	struct saving saving;
	bool taken;
	int rc = 0;

	slurm_mutex_lock(&store.lock);
	taken = _take(&saving, last);
	if (taken)
		rc = _save(&saving);
	slurm_mutex_unlock(&store.lock);
	return rc;
}

/* How long the thread may rest, in ns */
static int64_t _save_changes(void)
{
	return store_save(false) ? RETRY_NS : INT64_MAX;
}

extern void store_start(void)
{
	saver.round = _save_changes;
	worker_start(&saver);
}

/* ---- reading ---- */

/* slurmctld's locks are held: open() must not block, as it does on a FIFO. */
extern void store_load(void)
{
	char *path = file_state_path("cohort_state");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const char *wrong = NULL;

	store.damaged = false;
	if (fd >= 0)
		wrong = content_load(fd);
	else if (errno != ENOENT)
		wrong = "can't be opened";
	else
		debug(PREFIX "no state file yet");
	if (wrong) {
		error(PREFIX "%s %s and ignored: evicted jobs may lose their position",
		      path, wrong);
		store.damaged = true;
		saver_save();
	}
	if (fd >= 0)
		(void) close(fd);
	xfree(path);
}
