/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  hold.c - what was freed by eviction for a job
 *
 *  A preemptor owns that until it starts or its time is over: quota in the
 *  engine's books, and here the nodes that were selected for it. They are kept
 *  from all other managed jobs, whatever their PriorityTier: otherwise another job
 *  would take them, and the preemptor would have to evict again. Jobs outside all
 *  queues are Slurm's and are not held off. The state file has these nodes.
\*****************************************************************************/
#include <json-c/json.h>

#include "jobs/jobs.h"

#include "slurm/saver.h"

static struct {
	struct entry **entries;		/* that own what was freed, in no order */
	size_t n, size;
	uint64_t look;			/* the last look at victims that leave */
} hold;

extern void hold_flush(void)
{
	for (size_t i = 0; i < hold.n; i++)
		FREE_NULL_BITMAP(hold.entries[i]->cleared);
}

static void _list(struct entry *entry)
{
	if (hold.n == hold.size) {
		hold.size = MAX(2 * hold.size, 64);
		xrecalloc(hold.entries, hold.size, sizeof(*hold.entries));
	}
	hold.entries[hold.n++] = entry;
}

static void _unlist(const struct entry *entry)
{
	size_t i = 0;

	while (hold.entries[i] != entry)
		i++;
	hold.entries[i] = hold.entries[--hold.n];
}

extern void jobs_set_own(struct entry *entry, time_t until)
{
	uint32_t own_until = job_time(until);

	if (entry->own_until != own_until)
		saver_save();
	if (own_until && !entry->own_until)
		_list(entry);
	else if (!own_until && entry->own_until)
		_unlist(entry);
	entry->own_until = own_until;
	if (own_until)
		job_keep(entry->job);
	else
		FREE_NULL_BITMAP(entry->cleared);
}

extern void hold_nodes(struct entry *entry, const bitstr_t *nodes)
{
	FREE_NULL_BITMAP(entry->cleared);
	entry->cleared = bit_copy((bitstr_t *) nodes);
	hold_see_victim(entry->job);
	saver_save();
}

extern bool hold_any(void)
{
	return hold.n;
}

static bool _is_about(const struct entry *entry, bitstr_t *nodes)
{
	return entry->cleared && (bit_size(entry->cleared) == bit_size(nodes));
}

extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes, bitstr_t *but)
{
	bitstr_t *others = bit_alloc(bit_size(nodes));

	for (size_t i = 0; i < hold.n; i++) {
		if (_is_about(hold.entries[i], nodes))
			bit_or(others, hold.entries[i]->cleared);
	}
	if (_is_about(entry, nodes))
		bit_and_not(others, entry->cleared);
	if (but)
		bit_and_not(others, but);
	bit_and_not(nodes, others);
	FREE_NULL_BITMAP(others);
}

extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes)
{
	if (_is_about(entry, nodes))
		bit_and(nodes, entry->cleared);
}

extern void hold_next_look(void)
{
	hold.look++;
}

extern void hold_see_victim(struct job *preemptor)
{
	for_each_entry(e, preemptor)
		e->victims_leave = hold.look;
}

extern bool hold_awaits(const struct entry *entry)
{
	return entry->cleared && (entry->victims_leave == hold.look);
}

/* ---- the state file: nodes by name, as the node table may change ---- */

extern void hold_dump(const struct entry *entry, struct json_object *o)
{
	bitstr_t *cleared = entry->cleared;
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
