/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - numbers for names
 */
#include <stdio.h>
#include <string.h>

#include "history/names.h"

int names_begin(struct names *n, const struct db *db)
{
	*n = (struct names) { .db = db };
	return db_run(db, "CREATE TEMP TABLE IF NOT EXISTS seen(kind INTEGER,"
			  " id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;"
			  "DELETE FROM temp.seen");
}

/* found: id and gone, by a SELECT that has returned rc; added: what an INSERT has */
static int64_t number_of(struct names *n, enum named kind, bool *gone, int rc,
			 const int64_t found[2], int added)
{
	int64_t id = rc > 0 ? found[0] : sqlite3_last_insert_rowid(n->db->handle);

	n->failed |= rc < 0 || added < 0;
	if (gone) {
		*gone = rc <= 0 || found[1];
		n->failed |= db_once(n->db, NULL, "INSERT OR IGNORE INTO temp.seen"
				     " VALUES (?1, ?2)", "ii", (int64_t) kind, id) < 0;
	}
	return id;
}

int64_t name_node(struct names *n, bool *gone, bool is_cohort, const char *name)
{
	int64_t found[2];
	int added = 0, rc = db_numbers(n->db, found, 2, "SELECT id, gone FROM node"
				       " WHERE is_cohort = ?1 AND name = ?2",
				       "it", (int64_t) is_cohort, name);

	if (!rc)
		added = db_once(n->db, NULL, "INSERT INTO node(is_cohort, name)"
				" VALUES (?1, ?2)",
				"it", (int64_t) is_cohort, name);
	return number_of(n, NAMED_NODE, gone, rc, found, added);
}

int64_t name_pair(struct names *n, bool *gone, int64_t node, const char *resource,
		  const char *flavor)
{
	int64_t found[2];
	int added = 0, rc = db_numbers(n->db, found, 2, "SELECT id, gone FROM pair"
				       " WHERE node = ?1 AND resource = ?2 AND flavor = ?3",
				       "itt", node, resource, flavor);

	if (!rc)
		added = db_once(n->db, NULL, "INSERT INTO pair(node, resource, flavor)"
				" VALUES (?1, ?2, ?3)",
				"itt", node, resource, flavor);
	return number_of(n, NAMED_PAIR, gone, rc, found, added);
}

int64_t name_link(struct names *n, bool *gone, int64_t lender, int64_t borrower,
		  const char *resource, const char *flavor)
{
	int64_t found[2];
	int added = 0, rc = db_numbers(n->db, found, 2, "SELECT id, gone FROM link"
				       " WHERE lender = ?1 AND borrower = ?2"
				       " AND resource = ?3 AND flavor = ?4",
				       "iitt", lender, borrower, resource, flavor);

	if (!rc)
		added = db_once(n->db, NULL, "INSERT INTO link(lender, borrower, resource,"
				" flavor) VALUES (?1, ?2, ?3, ?4)",
				"iitt", lender, borrower, resource, flavor);
	return number_of(n, NAMED_LINK, gone, rc, found, added);
}

int64_t name_what(struct names *n, const char *name)
{
	int64_t found[2];
	int added = 0, rc = db_numbers(n->db, found, 2, "SELECT id, 0 FROM what"
				       " WHERE name = ?1",
				       "t", name);

	if (!rc)
		added = db_once(n->db, NULL, "INSERT INTO what(name) VALUES (?1)",
				"t", name);
	return number_of(n, NAMED_KINDS, NULL, rc, found, added);
}

const char *pair_key_cut(const char *key, char *buf, size_t size)
{
	char *at;

	snprintf(buf, size, "%s", key);
	if (!(at = strrchr(buf, '@')))
		return NULL;
	*at = '\0';
	return at + 1;
}

void names_mark_gone(struct names *n)
{
	static const char *const tables[NAMED_KINDS] = { "node", "pair", "link" };
	char text[256];

	for (int i = 0; i < NAMED_KINDS && !n->failed; i++) {
		snprintf(text, sizeof(text), "UPDATE %s SET gone = 1 - gone"
			 " WHERE gone = (id IN (SELECT id FROM temp.seen"
			 " WHERE kind = %d))", tables[i], i);
		n->failed = db_run(n->db, text) < 0;
	}
}
