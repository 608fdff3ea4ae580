/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_modes.c - whether PreemptMode lets jobs be evicted
\*****************************************************************************/
#include "document/publish_modes.h"

#include "match/evict_terms.h"
#include "document/publish_json.h"

static void _add(struct json_object *list, const char *name, uint16_t mode)
{
	struct json_object *o = json_object_new_object();

	publish_text(o, "name", name);
	publish_add(o, "evicts", json_object_new_boolean(evict_mode_evicts(mode)));
	json_object_array_add(list, o);
}

static int _add_partition(void *x, void *list)
{
	const part_record_t *part_ptr = x;
	uint16_t mode;

	if (evict_mode_of_partition(part_ptr, &mode))
		_add(list, part_ptr->name, mode);
	return 0;
}

static int _add_qos(void *x, void *list)
{
	const slurmdb_qos_rec_t *qos_ptr = x;
	uint16_t mode;

	if (evict_mode_of_qos(qos_ptr, &mode))
		_add(list, qos_ptr->name, mode);
	return 0;
}

extern struct json_object *publish_modes(void)
{
	struct json_object *o = json_object_new_object();
	struct json_object *partitions = json_object_new_array();
	struct json_object *qos = json_object_new_array();
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };

	(void) list_for_each(part_list, _add_partition, partitions);
	assoc_mgr_lock(&locks);
	if (assoc_mgr_qos_list)
		(void) list_for_each(assoc_mgr_qos_list, _add_qos, qos);
	assoc_mgr_unlock(&locks);
	publish_add(o, "evicts", json_object_new_boolean(
			    evict_mode_evicts(evict_mode_of_cluster())));
	publish_add(o, "partitions", partitions);
	publish_add(o, "qos", qos);
	return o;
}
