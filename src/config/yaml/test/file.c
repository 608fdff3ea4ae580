/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test file.c - which programs may a daemon run?
 */
#include <sys/stat.h>
#include <unistd.h>

#include "yaml/file.h"
#include "test/tests.h"

static char folder[64], program[96];

static int folder_make(void **state)
{
	FILE *f;

	strcpy(folder, "/tmp/cohort-file.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(program, sizeof(program), "%s/program", folder);
	f = fopen(program, "w");
	if (!f || fclose(f) || chmod(program, 0755))
		return -1;
	return 0;
}

static int folder_remove(void **state)
{
	unlink(program);
	return rmdir(folder);
}

/* err of file_check_program(), "" if it is right */
static const char *check(const char *path)
{
	static char err[256];

	err[0] = '\0';
	if (file_check_program(path, getuid(), err, sizeof(err)) == 0)
		assert_string_equal(err, "");
	else
		assert_string_not_equal(err, "");
	return err;
}

static void test_right(void **state)
{
	char link[128];

	assert_string_equal(check(program), "");
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink("program", link), 0);
	assert_string_equal(check(link), "");
	unlink(link);
}

static void test_file(void **state)
{
	chmod(program, 0644);
	assert_string_equal(check(program), "is not executable: chmod +x");
	chmod(program, 0757);
	assert_string_equal(check(program), "is not trusted: any user can write it (mode 0757): "
			    "chmod o-w");
	chmod(program, 0775);
	assert_string_equal(check(program), "is not trusted: its group can write it (mode 0775): "
			    "chmod g-w");
	chmod(program, 0755);
	assert_string_equal(check(folder), "is not a regular file");
	assert_string_equal(check("/none/at/all"), "cannot be read: No such file or directory");
}

static void test_folder(void **state)
{
	char expect[256];

	snprintf(expect, sizeof(expect), "is not trusted: other users can write to %s: chmod "
		 "go-w", folder);
	chmod(folder, 0777);
	assert_string_equal(check(program), expect);
	chmod(folder, 0770);
	assert_string_equal(check(program), expect);
	chmod(folder, 01777);
	assert_string_equal(check(program), "");
	chmod(folder, 0755);
}

/* Who can write to the folder of a link chooses the program. */
static void test_link_folder(void **state)
{
	char other[96], link[128], expect[256], err[256], *real;

	strcpy(other, "/tmp/cohort-link.XXXXXX");
	assert_non_null(mkdtemp(other));
	snprintf(link, sizeof(link), "%s/link", other);
	assert_int_equal(symlink(program, link), 0);
	assert_string_equal(check(link), "");
	real = file_find_program(link, getuid(), err, sizeof(err));
	assert_non_null(real);
	assert_string_equal(real, program);
	free(real);
	chmod(other, 0777);
	snprintf(expect, sizeof(expect), "is not trusted: other users can write to %s: chmod "
		 "go-w", other);
	assert_string_equal(check(link), expect);
	chmod(other, 01777);
	if (getuid() == 0) {
		assert_int_equal(lchown(link, 65534, (gid_t) -1), 0);
		snprintf(expect, sizeof(expect), "is not trusted: the link %s belongs to user "
			 "65534, who is neither root nor SlurmUser", link);
		assert_string_equal(check(link), expect);
	}
	unlink(link);
	rmdir(other);
}

TESTS_WITH(folder_make, folder_remove, cmocka_unit_test(test_right), cmocka_unit_test(test_file),
	   cmocka_unit_test(test_folder), cmocka_unit_test(test_link_folder))
