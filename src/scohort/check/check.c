/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.c - scohort check: is this cohort.yaml right?
 *
 * Prints the same as slurmctld would at start, without Slurm: every error and
 * warning with its line on standard error, a summary on standard output. If
 * there is a slurmctld to ask, names that it does not have are errors too (by the
 * rules of plugins/common/tell/config.c, on what slurmctld shows to the public
 * library), and what is unwise on this cluster is a warning (advice.c).
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "check/check.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "config.h"
#include "input/json_members.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/conf_path.h"
#include "slurm/nodes.h"
#include "yaml/file.h"

#define DEFAULT_DIR COHORT_SLURM_SYSCONFDIR

/* ---- names that the cluster does not have ---- */

static bool name_is_in(const struct cluster_names *names, const char *name)
{
	if (!names->known)
		return true;
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->names[i], name))
			return true;
	return false;
}

static bool partition_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return name_is_in(&c->partitions, name);
}

/* Dynamic nodes bring names and features of their own. */
static bool nodes_known(void *arg, const char *nodes, char *bad, size_t size)
{
	const struct cluster *c = arg;

	return c->nodes_may_come || !c->nodes || nodes_all_among(nodes, c->nodes, bad, size);
}

static bool feature_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return c->nodes_may_come || name_is_in(&c->features, name);
}

static bool qos_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return name_is_in(&c->qos, name);
}

/* Where jobs need no association, any text is a valid account. */
static bool account_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return !c->controller->accounts_needed || name_is_in(&c->accounts, name);
}

/* "gres/gpu:a100" is known if GresTypes has gpu */
static bool gres_known(const struct cluster_names *types, const char *name)
{
	size_t len = strcspn(name, ":");

	for (size_t i = 0; i < types->n; i++)
		if (!strncasecmp(types->names[i], name, len) && !types->names[i][len])
			return true;
	return !types->known;
}

static bool resource_known(void *arg, const char *tres)
{
	const struct cluster *c = arg;

	if (!strcmp(tres, "cpu") || !strcmp(tres, "mem") || !strcmp(tres, "node"))
		return true;
	if (!strncmp(tres, "gres/", 5))
		return gres_known(&c->gres_types, tres + 5);
	if (!strncmp(tres, "license/", 8))
		return name_is_in(&c->licenses, tres + 8);
	return name_is_in(&c->tres, tres);
}

/* slurmctld may be on another host. */
static bool program_runs(void *arg, const char *path, char *err, size_t size)
{
	const struct cluster *c = arg;

	return access(path, F_OK) < 0
	       || !file_check_program(path, c->controller->slurm_user, err, size);
}

static bool usage_known(void *arg)
{
	const struct cluster *c = arg;

	return c->controller->keeps_usage;
}

/* Reports, as slurmctld does, each name that the cluster does not have; what is not known
 * of the cluster is not judged. Returns the number of errors. */
static int names_check(const struct conf *conf, const struct cluster *cluster,
		       conf_report_f report, void *arg)
{
	const struct conf_names names = {
		.partition = partition_known,
		.nodes = nodes_known,
		.feature = feature_known,
		.qos = qos_known,
		.account = account_known,
		.resource = resource_known,
		.program = program_runs,
		.usage = usage_known,
		.arg = (void *) cluster,
	};

	return conf_check_names(conf, &names, report, arg);
}

/* ---- would slurmctld take this file? ---- */

struct conf *acceptable_load(const char *path, const struct controller *controller)
{
	struct conf *conf = conf_load(path, output_error, NULL);
	struct cluster cluster;
	char err[256];
	bool good;

	if (!conf)
		return NULL;
	good = !cluster_load(&cluster, conf, controller, err, sizeof(err));
	if (!good)
		stderr_line("%s", err);
	else
		good = !names_check(conf, &cluster, output_error, NULL);
	cluster_free(&cluster);
	if (good)
		return conf;
	conf_destroy(conf);
	return NULL;
}

#define ANYBODY ((uid_t) -1)

/* slurmctld rejects a file that others can write. A file that is not in its
 * place is a draft, and may belong to any user. False: the file is rejected. */
static bool trust_check(const char *path, uid_t owner, conf_report_f report, void *arg)
{
	char err[200], message[CONF_PATH_MAX + sizeof(err)];

	if (file_check_trusted(path, owner, err, sizeof(err)) == 0)
		return true;
	snprintf(message, sizeof(message), "%s: %s", path, err);
	report(arg, false, message);
	return false;
}

void checked_load(struct checked *c, const char *path, bool in_place, conf_report_f report, void *arg)
{
	memset(c, 0, sizeof(*c));
	if (!in_place || trust_check(path, ANYBODY, report, arg))
		c->conf = conf_load(path, report, arg);
}

void checked_judge(struct checked *c, const char *path, bool in_place,
		   const struct controller *controller, conf_report_f report, void *arg)
{
	if (!c->conf)
		return;
	c->asked = controller && !cluster_load(&c->cluster, c->conf, controller, c->err,
					       sizeof(c->err));
	/* without a slurmctld to ask it may be anybody's */
	c->good = !in_place || trust_check(path, controller ? controller->slurm_user : ANYBODY,
					   report, arg);
	if (c->asked && names_check(c->conf, &c->cluster, report, arg))
		c->good = false;
	if (c->good)
		cluster_advise(c->conf, &c->cluster, report, arg);
}

void checked_free(struct checked *c)
{
	cluster_free(&c->cluster);
	conf_destroy(c->conf);
	c->conf = NULL;
}

/* ---- the command ---- */

struct check_options {
	bool offline;
};

/* Where the messages go: printed at once, or into lists of a document */
struct findings {
	bool print;
	struct json_object *errors;
	struct json_object *warnings;
};

static void finding_take(void *arg, bool warning, const char *message)
{
	struct findings *f = arg;

	if (f->print)
		stderr_line("%s", message);
	json_object_array_add(warning ? f->warnings : f->errors, json_object_new_string(message));
}

#define EVENTS_NAME "/cohort_events.jsonl"	/* in the folder of the state */

/* Where evictions are recorded; "": nowhere, or it is not known as there was no
 * slurmctld to ask for its folder */
static void events_path(const struct conf *conf, const char *state_dir, char *path, size_t size)
{
	*path = '\0';
	if (conf->events.enable && conf->events.file)
		snprintf(path, size, "%s", conf->events.file);
	else if (conf->events.enable && state_dir)
		snprintf(path, size, "%s" EVENTS_NAME, state_dir);
}

static void summary_print(const char *path, const struct spec *spec, const char *events)
{
	output_line(stdout, "%s: %zu cohort%s, %zu cluster queue%s, %zu flavor%s", path,
		    spec->ncohorts, text_s((int64_t) spec->ncohorts), spec->nqueues,
		    text_s((int64_t) spec->nqueues), spec->nflavors,
		    text_s((int64_t) spec->nflavors));
	if (*events)
		output_line(stdout, "Evictions are recorded in %s", events);
}

static struct json_object *check_document(const char *path, const struct conf *conf, bool asked,
					  const struct findings *f, const char *events)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "file", path);
	json_add_truth(o, "valid", conf && !json_object_array_length(f->errors));
	json_add_truth(o, "cluster_asked", asked);
	if (conf) {
		json_add_number(o, "cohorts", conf->spec->ncohorts);
		json_add_number(o, "clusterQueues", conf->spec->nqueues);
		json_add_number(o, "flavors", conf->spec->nflavors);
	}
	json_object_object_add(o, "errors", f->errors);
	json_object_object_add(o, "warnings", f->warnings);
	if (*events)
		json_add_text(o, "events", events);
	return o;
}

/* Asks for slurmctld, if this host knows a cluster. False: there is none to ask; err says why,
 * unless the reason is only that there is no cluster. */
static bool controller_find(struct controller *controller, char *err, size_t size)
{
	char path[CONF_PATH_MAX];

	conf_path("slurm.conf", path, sizeof(path));
	return !access(path, R_OK) && !controller_open(controller, err, size);
}

static int check_run(const struct output *out, const char *path, bool in_place, bool offline)
{
	struct findings f = { !output_is_data(out), json_object_new_array(),
			      json_object_new_array() };
	struct controller controller = { .state_dir = NULL };
	char events[CONF_PATH_MAX + sizeof(EVENTS_NAME)] = "", err[256] = "";
	struct json_object *document;
	struct checked c;
	bool there;

	checked_load(&c, path, in_place, finding_take, &f);
	there = c.conf && !offline && controller_find(&controller, err, sizeof(err));
	checked_judge(&c, path, in_place, there ? &controller : NULL, finding_take, &f);
	if (*(there ? c.err : err))
		complain("%s: names, nodes and jobs were not checked", there ? c.err : err);
	if (c.conf)
		events_path(c.conf, controller.state_dir, events, sizeof(events));
	document = check_document(path, c.conf, c.asked, &f, events);
	if (output_is_data(out))
		output_document(out, document);
	else if (c.good)
		summary_print(path, c.conf->spec, events);
	json_object_put(document);
	checked_free(&c);
	controller_close(&controller);
	return c.good ? STATUS_OK : STATUS_FAILED;
}

int cmd_check(int argc, char **argv)
{
	static const struct cli_option options[] = {
		{ "offline", 0, NULL, "do not ask slurmctld what the cluster "
		  "has", CLI_FLAG, offsetof(struct check_options, offline), 0 },
		{ .name = NULL }
	};
	static const struct cli cli = {
		.operands = "[FILE]", .max = 1, .options = options,
		.about = "Reads FILE (default: cohort.yaml beside $SLURM_CONF, "
		"or " DEFAULT_DIR "/cohort.yaml)\nand reports every error in it, and what is "
		"unwise on this cluster.\nExit status 0: the file is valid; 1: it is not.\n",
		.output = CLI_DATA,
	};
	struct check_options chosen = { .offline = false };
	char beside[CONF_PATH_MAX];
	const char *path;
	struct call call;

	if (!cli_parse(&cli, argc, argv, &chosen, &call))
		return call.status;
	conf_path("cohort.yaml", beside, sizeof(beside));
	path = call.nargs ? call.args[0] : beside;
	return check_run(&call.out, path, !strcmp(path, beside), chosen.offline);
}
