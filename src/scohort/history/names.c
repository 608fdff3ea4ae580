/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - numbers for names
 */
#include <stdio.h>
#include <string.h>

#include "history/record.h"

int names_begin(struct names *n, const struct db *db)
{
	*n = (struct names) { .db = db };
	return db_run(db, "CREATE TEMP TABLE IF NOT EXISTS seen(kind INTEGER,"
			  " id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;"
			  "DELETE FROM temp.seen");
}

int64_t name_number(struct names *n, bool *gone, enum named kind, const char *kinds, ...)
{
	static const struct {
		const char *find, *add;
	} sql[] = {
		[NAMED_NODE] = {
			"SELECT id, gone FROM node WHERE is_cohort = ?1 AND name = ?2",
			"INSERT INTO node(is_cohort, name) VALUES (?1, ?2)" },
		[NAMED_PAIR] = {
			"SELECT id, gone FROM pair WHERE node = ?1 AND resource = ?2"
			" AND flavor = ?3",
			"INSERT INTO pair(node, resource, flavor) VALUES (?1, ?2, ?3)" },
		[NAMED_LINK] = {
			"SELECT id, gone FROM link WHERE lender = ?1 AND borrower = ?2"
			" AND resource = ?3 AND flavor = ?4",
			"INSERT INTO link(lender, borrower, resource, flavor)"
			" VALUES (?1, ?2, ?3, ?4)" },
		[NAMED_WHAT] = {
			"SELECT id, 0 FROM what WHERE name = ?1",
			"INSERT INTO what(name) VALUES (?1)" },
	};
	int64_t found[2];
	va_list args;
	int rc;

	va_start(args, kinds);
	rc = db_vnumbers(n->db, found, 2, sql[kind].find, kinds, args);
	va_end(args);
	va_start(args, kinds);
	n->failed |= rc < 0 || (!rc && db_vask(n->db, NULL, NULL, sql[kind].add, kinds, args) < 0);
	va_end(args);
	if (!rc)
		found[0] = sqlite3_last_insert_rowid(n->db->handle);
	if (gone) {
		*gone = rc <= 0 || found[1];
		n->failed |= db_do(n->db, "INSERT OR IGNORE INTO temp.seen"
				   " VALUES (?1, ?2)", "ii", (int64_t) kind, found[0]) < 0;
	}
	return found[0];
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
	static const char *const tables[NAMED_WHAT] = { "node", "pair", "link" };
	char text[256];

	for (int i = 0; i < NAMED_WHAT && !n->failed; i++) {
		snprintf(text, sizeof(text), "UPDATE %s SET gone = 1 - gone"
			 " WHERE gone = (id IN (SELECT id FROM temp.seen"
			 " WHERE kind = %d))", tables[i], i);
		n->failed = db_run(n->db, text) < 0;
	}
}
