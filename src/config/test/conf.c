/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test conf.c - from a file or a text to a conf, and what is given out
 */
#include <errno.h>
#include <sys/stat.h>

#include "parse.h"
#include "test/outside.h"

static void file_write(const char *text, size_t len)
{
	FILE *f = fopen(tests_path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

struct one {
	char text[512];
	size_t n;
};

static void one_take(void *arg, bool warning, const char *message)
{
	struct one *one = arg;

	one->n++;
	snprintf(one->text, sizeof(one->text), "%d %s", warning, message);
}

static void trusted(mode_t mode, uid_t owner, const char *expected)
{
	struct one one = { .n = 0 };
	struct conf *conf;

	assert_int_equal(chmod(tests_path, mode), 0);
	conf = conf_load_trusted(tests_path, owner, one_take, &one);
	if (expected) {
		assert_non_null(strstr(one.text, expected));
		assert_int_equal(one.n, 1);
	}
	assert_int_equal(conf == NULL, expected != NULL);
	conf_destroy(conf);
}

/* A user that may write the file steers slurmctld */
static void test_trusted(void **state)
{
	const char *text = "clusterQueues: [{name: q}]\n";
	struct one one = { .n = 0 };

	file_write(text, strlen(text));
	trusted(0600, geteuid(), NULL);
	trusted(0644, (uid_t) -1, NULL);
	trusted(0664, geteuid(), ": its group can write it (mode 0664)");
	trusted(0646, geteuid(), ": any user can write it (mode 0646)");
	trusted(0644, geteuid(), NULL);
	if (geteuid() != 0)
		trusted(0644, geteuid() + 1, "neither root nor SlurmUser");
	assert_null(conf_load_trusted("/dev/zero", 0, one_take, &one));
	assert_string_equal(one.text, "0 /dev/zero: is not a regular file");
	assert_null(conf_load_trusted("/nonexistent", 0, one_take, &one));
	assert_string_equal(one.text, "0 /nonexistent: cannot be read: No such file or directory");
	assert_null(conf_load_trusted("/", 0, NULL, NULL));
}

static void test_unreadable(void **state)
{
	struct one one = { .n = 0 };

	assert_null(conf_load("/nonexistent/cohort.yaml", one_take, &one));
	assert_string_equal(one.text, "0 /nonexistent/cohort.yaml: cannot be read: No such file or "
			    "directory");
	assert_null(conf_load("/", one_take, &one));
	assert_string_equal(one.text, "0 /: cannot be read: Is a directory");
	assert_null(conf_load("/", NULL, NULL));
	assert_int_equal(one.n, 2);
}

static void test_file(void **state)
{
	static const char good[] = "clusterQueues: []\n";
	static const char bad[] = "\n\nclusterQueues: 1\n";
	char says[512];
	struct one one = { .n = 0 };
	struct conf *conf;

	file_write(bad, strlen(bad));
	assert_null(conf_load(tests_path, one_take, &one));
	snprintf(says, sizeof(says), "0 %s:3: clusterQueues: \"1\" is not a list of cluster "
		 "queues", tests_path);
	assert_string_equal(one.text, says);
	file_write("", 0);
	assert_null(conf_load(tests_path, one_take, &one));
	snprintf(says, sizeof(says), "0 %s:1: is empty", tests_path);
	assert_string_equal(one.text, says);
	file_write(good, strlen(good));
	conf = conf_load(tests_path, one_take, &one);
	snprintf(says, sizeof(says), "1 %s:1: warning: clusterQueues: is empty: no job is "
		 "managed", tests_path);
	assert_string_equal(one.text, says);
	assert_non_null(conf);
	assert_string_equal(conf->file, tests_path);
	assert_string_equal(conf->source, good);
	assert_int_equal(conf->warnings, 1);
	conf_destroy(conf);
}

static void test_too_large(void **state)
{
	size_t len = 17 * 1024 * 1024;
	struct one one = { .n = 0 };
	char *text = malloc(len), says[512];

	assert_non_null(text);
	memset(text, '\n', len);
	file_write(text, len);
	free(text);
	assert_null(conf_load(tests_path, one_take, &one));
	snprintf(says, sizeof(says), "0 %s: is larger than 16 MiB", tests_path);
	assert_string_equal(one.text, says);
	assert_null(conf_load("/dev/zero", one_take, &one));
	assert_string_equal(one.text, "0 /dev/zero: is larger than 16 MiB");
}

/* It lives until its last user has destroyed it. */
static void test_shared(void **state)
{
	struct conf *conf = conf_read_text("f", "clusterQueues: []", 17, NULL, NULL);

	assert_non_null(conf);
	assert_ptr_equal(conf_share(conf), conf);
	conf_destroy(conf);
	assert_string_equal(conf->file, "f");
	conf_destroy(conf);
}

static void test_silent(void **state)
{
	struct conf *conf = conf_read_text("f", "clusterQueues: []", 17, NULL, NULL);

	assert_non_null(conf);
	errno = EIO;
	conf_destroy(conf);
	conf_destroy(NULL);
	assert_int_equal(errno, EIO);
	assert_null(conf_read_text("f", "clusterQueues: 1", 16, NULL, NULL));
}

/* The text need not end in NUL. */
static void test_length(void **state)
{
	struct conf *conf = conf_read_text("f", "clusterQueues: []garbage", 17, NULL, NULL);

	assert_non_null(conf);
	assert_string_equal(conf->source, "clusterQueues: []");
	conf_destroy(conf);
}

/* The same in YAML and in JSON */
static const char *const same[] = {
	"priority: job\nflavors:\n- name: a\nclusterQueues:\n- name: q\n  match:\n  - user: u\n  "
	"resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - {name: a, nominalQuota: "
	"{cpu: 4}}\n",
	"{\"priority\": \"job\",\n \"flavors\": [{\"name\": \"a\"}],\n \"clusterQueues\": "
	"[{\"name\": \"q\",\n\t\"match\": [{\"user\": \"u\"}],\n\t\"resourceGroups\": "
	"[{\"coveredResources\": [\"cpu\"],\n\t\t\"flavors\": [{\"name\": \"a\", \"nominalQuota\": "
	"{\"cpu\": 4}}]}]}]}\n",
};

static void test_json(void **state)
{
	for (size_t i = 0; i < COUNT(same); i++) {
		struct said said;
		struct conf *conf = parse_good(same[i], &said);

		assert_string_equal(said.text, "");
		assert_int_equal(conf->priority, CONF_PRIORITY_JOB);
		assert_int_equal(conf->spec->queues[0].quotas[0].nominal, 4);
		assert_string_equal(conf->queues[0].match.list[0].user, "u");
		conf_destroy(conf);
	}
}

TESTS_WITH(tests_path_make, tests_path_remove, cmocka_unit_test(test_trusted),
	   cmocka_unit_test(test_unreadable), cmocka_unit_test(test_file),
	   cmocka_unit_test(test_too_large), cmocka_unit_test(test_silent),
	   cmocka_unit_test(test_shared), cmocka_unit_test(test_length),
	   cmocka_unit_test(test_json))
