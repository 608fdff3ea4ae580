/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  known_names.c - names in cohort.yaml that only Slurm knows
 *
 *  Users are not looked up: a user that the database does not have may still be
 *  added to it at any time.
\*****************************************************************************/
#include "match/known_names.h"

#include "match/feature_constraint.h"
#include "match/flavor_nodes.h"

#include "yaml/file.h"

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

const struct conf_names known_names = {
	.partition = _partition_known,
	.nodes = _nodes_known,
	.feature = _feature_known,
	.qos = _qos_known,
	.account = _account_known,
	.resource = _resource_known,
	.program = _program_runs,
	.usage = _usage_known,
};
