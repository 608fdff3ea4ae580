/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  hold.c - nodes that were cleared for a job
 *
 *  A preemptor owns what was freed until it starts or its time is over: quota
 *  in the engine's books, and here the nodes that were selected for it. They
 *  are kept from all other managed jobs, whatever their PriorityTier: otherwise
 *  another job would take them, and the preemptor would have to evict again.
 *  Jobs outside all queues are Slurm's and are not held off. The state file has
 *  these nodes.
\*****************************************************************************/
#include <json-c/json.h>

#include "jobs/hold.h"

#include "state/job.h"
#include "slurm/saver.h"

static struct {
	uint32_t *holders;		/* how many jobs hold a node, by node */
	bitstr_t *nodes;		/* the nodes with any holder; NULL: no
					 * such nodes */
	struct entry **entries;		/* jobs that hold nodes, in no order */
	size_t nentries, size;
	uint64_t look;			/* the last look at victims that leave */
} hold;

extern void hold_flush(void)
{
	for (size_t i = 0; i < hold.nentries; i++)
		FREE_NULL_BITMAP(hold.entries[i]->parts->owned->cleared);
	hold.nentries = 0;
	xfree(hold.holders);
	FREE_NULL_BITMAP(hold.nodes);
}

static void _add_holder(struct entry *entry)
{
	if (hold.nentries == hold.size) {
		hold.size = hold.size ? 2 * hold.size : 64;
		xrecalloc(hold.entries, hold.size, sizeof(*hold.entries));
	}
	hold.entries[hold.nentries++] = entry;
}

static void _remove_holder(const struct entry *entry)
{
	size_t i = 0;

	while (hold.entries[i] != entry)
		i++;
	hold.entries[i] = hold.entries[--hold.nentries];
}

extern void hold_release(struct entry *entry)
{
	bitstr_t *cleared = entry_cleared(entry);

	if (!cleared)
		return;
	for (int64_t i = 0; i < bit_size(cleared); i++) {
		if (bit_test(cleared, i) && !--hold.holders[i])
			bit_clear(hold.nodes, i);
	}
	FREE_NULL_BITMAP(entry->parts->owned->cleared);
	_remove_holder(entry);
	if (!hold.nentries)
		hold_flush();
}

extern void hold_nodes(struct entry *entry, const bitstr_t *nodes)
{
	bitstr_t *cleared = bit_copy((bitstr_t *) nodes);

	hold_release(entry);
	/* the node table is not the one that the others were made with */
	if (hold.nodes && (bit_size(hold.nodes) != bit_size(cleared)))
		hold_flush();
	if (!hold.nodes) {
		hold.nodes = bit_alloc(bit_size(cleared));
		hold.holders = xcalloc(bit_size(cleared), sizeof(uint32_t));
	}
	for (int64_t i = 0; i < bit_size(cleared); i++) {
		if (bit_test(cleared, i)) {
			hold.holders[i]++;
			bit_set(hold.nodes, i);
		}
	}
	entry_get_owned(entry)->cleared = cleared;
	hold_see_victim(entry->job);
	_add_holder(entry);
	saver_save();
}

static bool _is_about(const bitstr_t *nodes)
{
	return hold.nodes && (bit_size(hold.nodes) ==
			      bit_size((bitstr_t *) nodes));
}

extern bool hold_any(void)
{
	return hold.nentries;
}

extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes,
			  bitstr_t *but)
{
	bitstr_t *cleared = entry_cleared(entry);
	bitstr_t *others;

	if (!_is_about(nodes))
		return;
	others = bit_copy(hold.nodes);
	if (cleared)
		bit_and_not(others, cleared);
	if (but)
		bit_and_not(others, but);
	bit_and_not(nodes, others);
	FREE_NULL_BITMAP(others);
}

extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes)
{
	if (entry_cleared(entry) && _is_about(nodes))
		bit_and(nodes, entry_cleared(entry));
}

extern void hold_next_look(void)
{
	hold.look++;
}

extern void hold_see_victim(struct job *preemptor)
{
	for_each_entry(e, preemptor) {
		if (parts_of(e)->owned)
			e->parts->owned->victims_leave = hold.look;
	}
}

extern bool hold_awaits(const struct entry *entry)
{
	return entry_cleared(entry) &&
		(entry->parts->owned->victims_leave == hold.look);
}

/* ---- the state file: nodes by name, as the node table may change ---- */

extern void hold_dump(const struct entry *entry, struct json_object *o)
{
	bitstr_t *cleared = entry_cleared(entry);
	struct json_object *names;

	if (!cleared || (bit_size(cleared) != node_record_count))
		return;
	names = json_object_new_array();
	for (int i = 0; i < node_record_count; i++) {
		if (bit_test(cleared, i) && node_record_table_ptr[i])
			json_object_array_add(names, json_object_new_string(
					node_record_table_ptr[i]->name));
	}
	json_object_object_add(o, "ownNodes", names);
}

extern void hold_load(struct entry *entry, struct json_object *o)
{
	struct json_object *names;
	bitstr_t *nodes;

	if (!json_object_object_get_ex(o, "ownNodes", &names) ||
	    !json_object_is_type(names, json_type_array))
		return;
	nodes = bit_alloc(node_record_count);
	for (size_t i = 0; i < json_object_array_length(names); i++) {
		const char *name = json_object_get_string(
			json_object_array_get_idx(names, i));
		const node_record_t *node = name ?
			find_node_record((char *) name) : NULL;

		if (node)
			bit_set(nodes, node->index);
	}
	if (bit_ffs(nodes) >= 0)
		hold_nodes(entry, nodes);
	FREE_NULL_BITMAP(nodes);
}
