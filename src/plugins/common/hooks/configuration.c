/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  configuration.c - which cohort.yaml is in force
 *
 *  cohort.yaml stands beside slurm.conf. A file with errors never takes a
 *  running cluster down: a reconfigure keeps the configuration in force, a
 *  restart takes the last good file from StateSaveLocation, and both log it.
 *  A first start without any good file has no queues: Slurm schedules all jobs
 *  as it does without quota, until a reconfigure finds a good file.
\*****************************************************************************/
#include <sys/stat.h>

#include "hooks/configuration.h"

#include "state/state.h"
#include "slurm/file.h"
#include "match/known_names.h"
#include "statefile/store.h"
#include "tell/config_told.h"

/* The errors of one file */
struct errors {
	char *first;
	int n;
};

static void _report(void *arg, bool warning, const char *message)
{
	struct errors *errors = arg;

	if (warning) {
		info(PREFIX "%s", message);
		return;
	}
	error(PREFIX "%s", message);
	if (!errors->n++)
		errors->first = xstrdup(message);
}

/* Names that Slurm does not know are errors. They are accepted only in a file
 * that was good once: a QOS or a node may go while cohort.yaml still names
 * it. */
static struct conf *_read(const char *path, bool was_good,
			  struct errors *errors)
{
	struct conf *conf = conf_load_trusted(path, slurm_conf.slurm_user_id,
					      _report, errors);

	if (conf && conf_check_names(conf, &known_names, _report, errors) &&
	    !was_good) {
		conf_destroy(conf);
		return NULL;
	}
	return conf;
}

static char *_conf_path(void)
{
	char *path = xstrdup(slurm_conf.slurm_conf), *slash;

	if (path && (slash = strrchr(path, '/')))
		*slash = '\0';
	else
		xfree(path);
	xstrfmtcat(path, path ? "/cohort.yaml" : "./cohort.yaml");
	return path;
}

static time_t _written(const char *path)
{
	struct stat st;

	return stat(path, &st) ? time(NULL) : st.st_mtime;
}

extern struct conf *configuration_choose(void)
{
	char *path = _conf_path(), *good = file_state_path(STORE_LAST_GOOD);
	struct errors errors = { .n = 0 }, ignored = { .n = 0 };
	struct conf *conf;

	config_told_reading(path);
	conf = _read(path, false, &errors);
	if (conf) {
		config_told_taken(conf->source);
		info(PREFIX "%s: %zu cohorts, %zu cluster queues, %zu flavors%s",
		     path, conf->spec->ncohorts, conf->spec->nqueues,
		     conf->spec->nflavors,
		     conf->observe ? " (observe: nothing is enforced)" : "");
		store_keep(conf->source);
	} else if (ctld.conf) {
		config_told_rejected(errors.first, errors.n, 0);
		error(PREFIX "%s has errors: the configuration in force does not change",
		      path);
	} else if ((conf = _read(good, true, &ignored))) {
		config_told_rejected(errors.first, errors.n, _written(good));
		error(PREFIX "%s has errors: %s, %s", path,
		      compat_reexecuted() ?
		      "the configuration in force does not change" :
		      "starting with the last valid one", good);
	} else {
		conf = conf_read_text(path, CONF_OF_NO_QUEUES,
				      strlen(CONF_OF_NO_QUEUES), NULL, NULL);
		if (!conf)
			fatal(PREFIX "%s: %m", path);
		config_told_rejected(errors.first, errors.n, 0);
		error(PREFIX "%s has errors, and there is no earlier valid one in %s: all jobs are scheduled without quota until scontrol reconfigure finds a valid file",
		      path, slurm_conf.state_save_location);
	}
	xfree(errors.first);
	xfree(ignored.first);
	xfree(path);
	xfree(good);
	return conf;
}
