/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - numbers for names
 */
#include <stdio.h>
#include <string.h>

#include "history/names.h"

static const struct {
	const char *table, *get, *add;
} sql[NAMED_KINDS] = {
	[NAMED_NODE] = { "node",
		"SELECT id, gone FROM node WHERE is_cohort = ?1 AND name = ?2",
		"INSERT INTO node(is_cohort, name) VALUES (?1, ?2)" },
	[NAMED_PAIR] = { "pair",
		"SELECT id, gone FROM pair WHERE node = ?1 AND resource = ?2"
		" AND flavor = ?3",
		"INSERT INTO pair(node, resource, flavor) VALUES (?1, ?2, ?3)" },
	[NAMED_LINK] = { "link",
		"SELECT id, gone FROM link WHERE lender = ?1 AND borrower = ?2"
		" AND resource = ?3 AND flavor = ?4",
		"INSERT INTO link(lender, borrower, resource, flavor)"
		" VALUES (?1, ?2, ?3, ?4)" },
	[NAMED_WHAT] = { "what",
		"SELECT id, 0 FROM what WHERE name = ?1",
		"INSERT INTO what(name) VALUES (?1)" },
};

int names_begin(struct names *n, const struct db *db)
{
	*n = (struct names) { .db = db };
	if (db_run(db, "CREATE TEMP TABLE IF NOT EXISTS seen(kind INTEGER,"
		       " id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;"
		       "DELETE FROM temp.seen") < 0)
		return -1;
	for (int i = 0; i < NAMED_KINDS; i++) {
		n->get[i] = db_prepare(db, sql[i].get);
		n->add[i] = db_prepare(db, sql[i].add);
		if (!n->get[i] || !n->add[i])
			return -1;
	}
	n->see = db_prepare(db, "INSERT OR IGNORE INTO temp.seen"
				" VALUES (?1, ?2)");
	return n->see ? 0 : -1;
}

void names_end(struct names *n)
{
	for (int i = 0; i < NAMED_KINDS; i++) {
		sqlite3_finalize(n->get[i]);
		sqlite3_finalize(n->add[i]);
	}
	sqlite3_finalize(n->see);
}

static void see(struct names *n, enum named kind, int64_t id)
{
	db_bind(n->see, "ii", (int64_t) kind, id);
	if (!n->failed && db_do(n->db, n->see) < 0)
		n->failed = true;
}

int64_t name_number(struct names *n, enum named kind, bool *gone,
		    const char *kinds, ...)
{
	sqlite3_stmt *get = n->get[kind];
	bool was_gone = true;
	int64_t id = 0;
	va_list args;
	int rc;

	for (int i = 0; i < 2; i++) {
		va_start(args, kinds);
		db_bind_all(i ? n->add[kind] : get, kinds, args);
		va_end(args);
	}
	rc = sqlite3_step(get);
	if (rc == SQLITE_ROW) {
		id = sqlite3_column_int64(get, 0);
		was_gone = sqlite3_column_int(get, 1);
	} else if (rc == SQLITE_DONE && !db_do(n->db, n->add[kind])) {
		id = sqlite3_last_insert_rowid(n->db->handle);
	} else if (!n->failed) {
		n->failed = db_error(n->db) < 0;
	}
	sqlite3_reset(get);
	if (gone) {
		*gone = was_gone;
		see(n, kind, id);
	}
	return id;
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
	char text[256];

	for (int i = 0; i < NAMED_WHAT && !n->failed; i++) {
		snprintf(text, sizeof(text), "UPDATE %s SET gone = 1 - gone"
			 " WHERE gone = (id IN (SELECT id FROM temp.seen"
			 " WHERE kind = %d))", sql[i].table, i);
		n->failed = db_run(n->db, text) < 0;
	}
}
