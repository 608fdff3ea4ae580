/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix.c - who lent to whom, as JSON
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "output/output.h"
#include "report/rows.h"

static const char links_sql[] =
	"SELECT link.id, l.name, l.is_cohort, b.name, resource FROM link"
	" JOIN node AS l ON l.id = lender JOIN node AS b ON b.id = borrower"
	" ORDER BY l.name, l.is_cohort, b.name, resource";

static const char loans_sql[] =
	"SELECT slot, link, amount FROM loan"
	" WHERE level = ?1 AND slot >= ?2 AND slot < ?3 ORDER BY slot";

/* One lender, borrower and resource, on all flavors */
struct cell {
	struct json_object *names;	/* as a row has them */
	int64_t amount;			/* of the period */
};

struct matrix {
	struct cell *cells;
	size_t n;
	struct index_list cell_of_link;
};

static bool is_chosen(const struct choice *choice, const char *queue)
{
	for (size_t i = 0; i < choice->nqueues; i++)
		if (!strcmp(choice->queues[i], queue))
			return true;
	return false;
}

static struct json_object *names_of(sqlite3_stmt *s)
{
	struct json_object *o = json_object_new_object();

	json_add_text(o, "lender", (const char *) sqlite3_column_text(s, 1));
	json_add_text(o, "lenderKind", sqlite3_column_int(s, 2)
		      ? "cohort" : "clusterQueue");
	json_add_text(o, "borrower", (const char *) sqlite3_column_text(s, 3));
	json_add_text(o, "resource", (const char *) sqlite3_column_text(s, 4));
	return o;
}

/* False: the report is not about it. */
static bool names_are_chosen(const struct choice *choice,
			     struct json_object *names)
{
	const char *resource = json_text(names, "resource");
	bool is_queue = !strcmp(json_text(names, "lenderKind"), "clusterQueue");

	if (choice->resource && strcmp(choice->resource, resource) != 0)
		return false;
	return !choice->nqueues
	       || is_chosen(choice, json_text(names, "borrower"))
	       || (is_queue && is_chosen(choice, json_text(names, "lender")));
}

/* Takes over the names. */
static int link_add(struct matrix *m, int64_t link, struct json_object *names)
{
	struct cell *cells;

	if (m->n && json_object_equal(m->cells[m->n - 1].names, names)) {
		json_object_put(names);
		return index_put(&m->cell_of_link, link, (int) m->n - 1);
	}
	cells = realloc(m->cells, (m->n + 1) * sizeof(*cells));
	if (!cells) {
		json_object_put(names);
		stderr_line("scohort report: out of memory");
		return -1;
	}
	m->cells = cells;
	m->cells[m->n++] = (struct cell) { .names = names };
	return index_put(&m->cell_of_link, link, (int) m->n - 1);
}

static int links_load(struct matrix *m, const struct db *db,
		      const struct choice *choice)
{
	sqlite3_stmt *s = db_prepare(db, links_sql);
	int rc = SQLITE_DONE, result = s ? 0 : -1;

	while (!result && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		struct json_object *names = names_of(s);

		if (names_are_chosen(choice, names))
			result = link_add(m, sqlite3_column_int64(s, 0), names);
		else
			json_object_put(names);
	}
	if (!result && rc != SQLITE_DONE)
		result = db_error(db);
	sqlite3_finalize(s);
	return result;
}

/* ---- rows ---- */

static struct json_object *row_of(const struct cell *c, const struct range *r,
				  int64_t begin)
{
	struct json_object *row = json_object_new_object();

	period_add(row, r->by, begin);
	json_object_object_foreach(c->names, key, name)
		json_object_object_add(row, key, json_object_get(name));
	json_object_object_add(row, "lentHours", hours_json(c->amount));
	return row;
}

static void period_fill(struct matrix *m, struct slots *loans, int64_t *sums,
			struct json_object *rows)
{
	const struct range *r = loans->range;
	int64_t begin = span_begin(r->by, loans->slot);
	int64_t next = span_next(r->by, begin);

	for (size_t i = 0; i < m->n; i++)
		m->cells[i].amount = 0;
	for (; loans->slot < next; slots_next(loans)) {
		int cell = index_find(&m->cell_of_link,
				      sqlite3_column_int64(loans->s, 1));

		if (cell >= 0)
			m->cells[cell].amount =
				sat_add(m->cells[cell].amount,
					sqlite3_column_int64(loans->s, 2));
	}
	for (size_t i = 0; i < m->n; i++) {
		if (!m->cells[i].amount)
			continue;
		json_object_array_add(rows, row_of(&m->cells[i], r, begin));
		sums[i] = sat_add(sums[i], m->cells[i].amount);
	}
}

/* By resource, in the order in which they come */
static void totals_add(const struct matrix *m, const int64_t *sums,
		       struct json_object *totals)
{
	struct json_object *total;

	for (size_t i = 0; i < m->n; i++) {
		const char *resource = json_text(m->cells[i].names, "resource");
		int64_t sum = 0;
		bool told = false;

		for (size_t k = 0; k < m->n; k++) {
			if (strcmp(resource, json_text(m->cells[k].names,
						       "resource")) != 0)
				continue;
			told |= k < i && sums[k];
			sum = sat_add(sum, sums[k]);
		}
		if (told || !sums[i])
			continue;
		total = json_object_new_object();
		json_add_text(total, "lender", "TOTAL");
		json_add_text(total, "resource", resource);
		json_object_object_add(total, "lentHours", hours_json(sum));
		json_object_array_add(totals, total);
	}
}

static int loans_fill(struct matrix *m, const struct db *db,
		      const struct range *range, struct json_object *rows,
		      struct json_object *totals)
{
	int64_t *sums = calloc(m->n + 1, sizeof(*sums));
	struct slots loans = { .s = NULL };
	int rc = -1;

	if (!sums) {
		stderr_line("scohort report: out of memory");
		return -1;
	}
	if (!slots_begin(&loans, db, range, loans_sql)) {
		while (loans.slot < INT64_MAX)
			period_fill(m, &loans, sums, rows);
		rc = 0;
	}
	if (slots_end(&loans) < 0)
		rc = -1;
	if (!rc)
		totals_add(m, sums, totals);
	free(sums);
	return rc;
}

int matrix_fill(const struct db *db, const struct range *range,
		const struct choice *choice, struct json_object *rows,
		struct json_object *totals)
{
	struct matrix m = { .n = 0 };
	int rc = -1;

	if (!links_load(&m, db, choice))
		rc = loans_fill(&m, db, range, rows, totals);
	for (size_t i = 0; i < m.n; i++)
		json_object_put(m.cells[i].names);
	free(m.cells);
	free(m.cell_of_link.of);
	return rc;
}
