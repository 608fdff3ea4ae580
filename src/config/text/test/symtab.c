/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test symtab.c - names once, in order, found again
 */
#include "parse.h"
#include "text/symtab.h"

#define MANY 5000

static void test_twice(void **state)
{
	struct symtab *t = symtab_create();

	(void) state;
	assert_non_null(t);
	assert_null(symtab_find(t, "ml"));
	assert_int_equal(symtab_add(t, "ml", 0, 7), 0);
	assert_int_equal(symtab_add(t, "ml", 1, 9), 1);
	assert_int_equal(symtab_count(t), 1);
	assert_int_equal(symtab_find(t, "ml")->line, 7);
	assert_int_equal(symtab_find(t, "ml")->index, 0);
	assert_null(symtab_find(t, "m"));
	symtab_destroy(t);
	symtab_destroy(NULL);
}

static void test_many(void **state)
{
	struct symtab *t = symtab_create();
	char (*names)[24] = calloc(MANY, sizeof(*names));

	(void) state;
	assert_non_null(t);
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "queue%d", i);
		assert_int_equal(symtab_add(t, names[i], i, 2 * i), 0);
	}
	assert_int_equal(symtab_count(t), MANY);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(symtab_find(t, names[i])->index, i);
		assert_ptr_equal(symtab_at(t, i)->name, names[i]);
	}
	assert_null(symtab_find(t, "queue5000"));
	symtab_destroy(t);
	free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
