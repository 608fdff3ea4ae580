/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  config.c - which cohort.yaml is in force, and what is published of that
 *
 *  A file with errors is not in force, and neither is one that was written
 *  after slurmctld has read it. Both must be seen. For that the file is looked at by
 *  the thread that publishes, without any lock: it may lie on a file system of the
 *  network.
\*****************************************************************************/
#include <inttypes.h>
#include <sys/stat.h>

#include "tell/tell.h"

#include "state/json.h"
#include "slurm/worker.h"
#include "match/match.h"

#include "lib/hash.h"
#include "yaml/file.h"

/* ---- names that only Slurm knows ---- */

/* Users are not looked up: a user that the database does not have may still be
 * added to it at any time. */

static bool _partition_known(void *arg UNUSED, const char *name)
{
	return find_part_record((char *) name) != NULL;
}

/* Dynamic nodes bring names of their own. */
static bool _may_come(const char *what, const char *name)
{
	if (!nodes_may_come())
		return false;
	info(PREFIX "cohort.yaml names the %s %s, which does not exist yet", what, name);
	return true;
}

static bool _nodes_known(void *arg UNUSED, const char *nodes, char *bad, size_t size)
{
	compat_hostlist_t list = hostlist_create(nodes);
	bool known = list != NULL;
	char *name;

	while (known && (name = hostlist_shift(list))) {
		if (!find_node_record(name) && !_may_come("node", name)) {
			snprintf(bad, size, "%s", name);
			known = false;
		}
		free(name);
	}
	if (list)
		hostlist_destroy(list);
	return known;
}

static bool _feature_known(void *arg UNUSED, const char *name)
{
	return feature_nodes(name) || _may_come("feature", name);
}

/* Without a database the names can't be checked. */
static bool _qos_known(void *arg UNUSED, const char *name)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	const slurmdb_qos_rec_t *qos;
	bool known;

	assoc_mgr_lock(&locks);
	known = !assoc_mgr_qos_list;
	for_each_in(qos, assoc_mgr_qos_list)
		known |= !xstrcmp(qos->name, name);
	assoc_mgr_unlock(&locks);
	return known;
}

/* Where jobs need no association, any text is a valid account. */
static bool _account_known(void *arg UNUSED, const char *name)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const slurmdb_assoc_rec_t *assoc;
	bool known;

	if (!(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_ASSOCS))
		return true;
	assoc_mgr_lock(&locks);
	known = !assoc_mgr_assoc_list;
	for_each_in(assoc, assoc_mgr_assoc_list)
		known |= !xstrcmp(assoc->acct, name);
	assoc_mgr_unlock(&locks);
	return known;
}

static bool _in_comma_list(const char *list, const char *name, size_t len)
{
	for (const char *p = list; p && *p; p = strchr(p, ',') ?
		     strchr(p, ',') + 1 : NULL) {
		if (!xstrncasecmp(p, name, len) && (!p[len] || (p[len] == ',')))
			return true;
	}
	return false;
}

static bool _resource_known(void *arg UNUSED, const char *tres)
{
	if (!xstrcmp(tres, "cpu") || !xstrcmp(tres, "mem") || !xstrcmp(tres, "node"))
		return true;
	if (!xstrncmp(tres, "gres/", 5))
		return _in_comma_list(slurm_conf.gres_plugins, tres + 5, strcspn(tres + 5, ":"));
	if (!xstrncmp(tres, "license/", 8))
		return compat_license_total(tres + 8) >= 0;
	return compat_tres_pos(tres, false) >= 0;
}

static bool _program_runs(void *arg UNUSED, const char *path, char *err, size_t size)
{
	return !file_check_program(path, slurm_conf.slurm_user_id, err, size);
}

static bool _usage_known(void *arg UNUSED)
{
	return !xstrcmp(slurm_conf.priority_type, "priority/multifactor") &&
		!xstrcmp(slurm_conf.accounting_storage_type, "accounting_storage/slurmdbd");
}

static const struct conf_names known_names = {
	.partition = _partition_known,
	.nodes = _nodes_known,
	.feature = _feature_known,
	.qos = _qos_known,
	.account = _account_known,
	.resource = _resource_known,
	.program = _program_runs,
	.usage = _usage_known,
};

/* ---- what is known of the file ---- */

struct config_seen {
	char *path;
	struct stat identity;	/* all 0: there was none */
	bool taken;
	uint64_t hash;		/* of its text, if it was taken */
	uid_t owner;
};

/* The errors of one file */
struct errors {
	char *first;
	int n;
};

/* under the job lock */
static struct config_seen last;
static struct {
	time_t since;		/* what is in force was read then; 0: nothing is */
	time_t rejected;	/* 0: the last one read is in force */
	bool good;		/* what is in force was read from there */
	char *error;
	int errors;
	int64_t reading;	/* when it was read, in microseconds */
} told;

static struct stat _identity(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		memset(&st, 0, sizeof(st));
	return st;
}

/* The same file, and not written in between? */
static bool _same(const struct stat *a, const struct stat *b)
{
	return (a->st_dev == b->st_dev) && (a->st_ino == b->st_ino) &&
		(a->st_size == b->st_size) && (a->st_mtim.tv_sec == b->st_mtim.tv_sec) &&
		(a->st_mtim.tv_nsec == b->st_mtim.tv_nsec);
}

/* cohort.yaml is about to be read from this path. */
static void _note_reading(const char *path)
{
	struct timespec now;

	xfree(last.path);
	last.path = xstrdup(path);
	last.identity = _identity(path);
	last.owner = slurm_conf.slurm_user_id;
	last.taken = false;
	/* slurmctld may be executed anew for each: the time tells them apart */
	clock_gettime(CLOCK_REALTIME, &now);
	told.reading = (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* It is in force, with this text. */
static void _note_taken(const char *text)
{
	last.taken = true;
	last.hash = hash_bytes(HASH_INIT, text, strlen(text));
	told.since = time(NULL);
	told.rejected = 0;
	told.good = true;
	told.errors = 0;
	xfree(told.error);
}

/* All users may read this, but not which users the file names. */
static char *_error_for_all(const char *error)
{
	char *copy = xstrdup(error), *user = copy ? strstr(copy, ".user: ") : NULL;

	if (user)
		user[strlen(".user")] = '\0';
	return copy;
}

/* It has these errors; what was in force stays in force, or the last good file, of this
 * time (0: what was in force, if anything). */
static void _note_rejected(const struct errors *errors, time_t since)
{
	told.rejected = time(NULL);
	told.good &= ctld.conf != NULL;
	told.errors = errors->n;
	xfree(told.error);
	told.error = _error_for_all(errors->first);
	if (since)
		told.since = since;
}

/* ---- the choice ---- */

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

/* Names that Slurm does not know are errors. They are accepted only in a file that was good
 * once: a QOS or a node may go while cohort.yaml still names it. */
static struct conf *_read(const char *path, bool was_good, struct errors *errors)
{
	struct conf *conf = conf_load_trusted(path, slurm_conf.slurm_user_id, _report, errors);

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

extern struct conf *config_choose(void)
{
	char *path = _conf_path(), *last_good = file_state_path(CONFIG_LAST_GOOD);
	struct errors errors = { .n = 0 }, ignored = { .n = 0 };
	struct conf *conf;

	_note_reading(path);
	conf = _read(path, false, &errors);
	if (conf) {
		_note_taken(conf->source);
		info(PREFIX "%s: %zu cohorts, %zu cluster queues, %zu flavors%s",
		     path, conf->spec->ncohorts, conf->spec->nqueues,
		     conf->spec->nflavors,
		     conf->observe ? " (observe: nothing is enforced)" : "");
	} else if (ctld.conf) {
		_note_rejected(&errors, 0);
		error(PREFIX "%s has errors: the configuration in force does not change", path);
	} else if ((conf = _read(last_good, true, &ignored))) {
		_note_rejected(&errors, _identity(last_good).st_mtime);
		error(PREFIX "%s has errors: %s, %s", path,
		      compat_reexecuted() ?
		      "the configuration in force does not change" :
		      "starting with the last valid one", last_good);
	} else {
		conf = conf_read_text(path, CONF_OF_NO_QUEUES,
				      strlen(CONF_OF_NO_QUEUES), NULL, NULL);
		if (!conf)
			fatal(PREFIX "%s: %m", path);
		_note_rejected(&errors, 0);
		error(PREFIX "%s has errors, and there is no earlier valid one in %s: all jobs are scheduled without quota until scontrol reconfigure finds a valid file",
		      path, slurm_conf.state_save_location);
	}
	xfree(errors.first);
	xfree(ignored.first);
	xfree(path);
	xfree(last_good);
	return conf;
}

extern bool config_is_good(void)
{
	return told.good;
}

/* ---- for publication ---- */

extern struct json_object *config_told_json(void)
{
	struct json_object *o = json_object_new_object();
	char hash[20];

	snprintf(hash, sizeof(hash), "%016" PRIx64, last.hash);
	json_add_text(o, "file", last.path);
	json_add_number(o, "reading", told.reading);
	json_add_text(o, "hash", last.taken ? hash : NULL);
	json_add_bool(o, "valid", !told.rejected);
	json_add_number(o, "since", told.since);
	if (told.rejected) {
		json_add_number(o, "rejectedAt", told.rejected);
		json_add_text(o, "error", told.error);
		json_add_number(o, "errors", told.errors);
	}
	return o;
}

extern struct config_seen *config_told_seen(void)
{
	struct config_seen *seen = xmalloc(sizeof(*seen));

	*seen = last;
	seen->path = xstrdup(last.path);
	return seen;
}

/* Does the file have the text that was taken? One that is not to be trusted
 * would be rejected: it differs. */
static bool _has_text(const struct config_seen *seen)
{
	char err[200], *text;
	size_t len;
	bool same;

	text = file_read_trusted(seen->path, seen->owner, &len, err, sizeof(err));
	same = text && (hash_bytes(HASH_INIT, text, len) == seen->hash);
	free(text);
	return same;
}

static const char *_look(const struct config_seen *seen)
{
	struct stat now = _identity(seen->path);

	if (_same(&now, &seen->identity))
		return "same";
	if (!now.st_ino)
		return "missing";
	return seen->taken && _has_text(seen) ? "same" : "changed";
}

extern void config_told_look(struct config_seen *seen, struct json_object *document)
{
	if (seen->path)
		json_add_text(json_object_object_get(document, "configuration"),
			     "onDisk", _look(seen));
	xfree(seen->path);
	xfree(seen);
}
