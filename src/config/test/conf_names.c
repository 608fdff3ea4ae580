/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test conf_names.c - names that only Slurm can judge
 */
#include "parse.h"

static const char text[] =
	"flavors:\n- {name: a, features: a100&nvlink}\n- name: b\n  features: [a100,\n    ib]\n  "
	"partitions: gpu,cpu\n- {name: c, nodes: \"n[1-9]\"}\ncohorts:\n- name: ml\n  "
	"resourceGroups:\n  - coveredResources: [node]\n    flavors: [{name: c, nominalQuota: "
	"node=1}]\nclusterQueues:\n- name: q\n  match:\n  - {partition: gpu, account: nobody, "
	"user: nobody}\n  - {partition: nowhere}\n  - {partition: \"no*\", qos: \"n?\", account: "
	"\"no*\"}\n  - {qos: high, account: lab}\n  resourceGroups:\n  - coveredResources:\n    - "
	"cpu\n    - gres/gpu\n    flavors: [{name: a, nominalQuota: \"cpu=1,gres/gpu=1\"}]\n  "
	"nonPreemptible: {match: [{qos: normal}, {qos: urgent,\n    partition: ghost}, {account: "
	"ghosts}]}\n  localQueues: [{name: lab},\n    {name: phantoms}]\nadmissionFairSharing:\n  "
	"usageFrom: slurm\nnotify: {program: /p}\n";

static size_t asked;

/* A look-up that knows one name */
#define KNOWN(look_up, word) \
	static bool look_up(void *arg, const char *name) \
	{ \
		assert_string_equal(arg, "arg"); \
		asked++; \
		return !strcmp(name, word); \
	}

KNOWN(partition_known, "gpu")
KNOWN(feature_known, "a100")
KNOWN(qos_known, "normal")
KNOWN(account_known, "lab")
KNOWN(resource_known, "cpu")

static bool nodes_known(void *arg, const char *hostlist, char *bad, size_t size)
{
	(void) arg;
	assert_string_equal(hostlist, "n[1-9]");
	snprintf(bad, size, "n5");
	return false;
}

static bool program_runs(void *arg, const char *path, char *err, size_t size)
{
	(void) arg;
	assert_string_equal(path, "/p");
	snprintf(err, size, "is not executable: chmod +x");
	return false;
}

static bool no_usage(void *arg)
{
	(void) arg;
	return false;
}

static bool any_known(void *arg, const char *name)
{
	(void) arg;
	(void) name;
	return true;
}

static bool any_nodes(void *arg, const char *hostlist, char *bad, size_t size)
{
	(void) arg;
	(void) hostlist;
	(void) bad;
	(void) size;
	return true;
}

static void test_unknown(void **state)
{
	const struct conf_names names = {
		.partition = partition_known, .feature = feature_known,
		.qos = qos_known, .account = account_known,
		.resource = resource_known,
		.nodes = nodes_known, .program = program_runs,
		.usage = no_usage, .arg = "arg",
	};
	struct conf *conf = parse_good(text, NULL);
	struct said said = { .text = "" };

	assert_int_equal(conf_check_names(conf, &names, said_add, &said), 15);
	assert_string_equal(said.text,
		"2: flavors[0].features: \"nvlink\" is no feature of any node\n5: "
		"flavors[1].features[1]: \"ib\" is no feature of any node\n6: "
		"flavors[1].partitions: \"cpu\" is no partition of this cluster\n7: "
		"flavors[2].nodes: \"n5\" is not a node of this cluster\n11: "
		"cohorts[0].resourceGroups[0].coveredResources[0]: \"node\" is no resource of this "
		"cluster\n16: clusterQueues[0].match[0].account: \"nobody\" is no account of this "
		"cluster\n17: clusterQueues[0].match[1].partition: \"nowhere\" is no partition of "
		"this cluster\n19: clusterQueues[0].match[3].qos: \"high\" is no QOS of this "
		"cluster\n23: clusterQueues[0].resourceGroups[0].coveredResources[1]: \"gres/gpu\" "
		"is no resource of this cluster\n25: clusterQueues[0].nonPreemptible.match[1].qos: "
		"\"urgent\" is no QOS of this cluster\n26: "
		"clusterQueues[0].nonPreemptible.match[1].partition: \"ghost\" is no partition of "
		"this cluster\n26: clusterQueues[0].nonPreemptible.match[2].account: \"ghosts\" is "
		"no account of this cluster\n28: clusterQueues[0].localQueues[1].name: "
		"\"phantoms\" is no account of this cluster\n30: admissionFairSharing.usageFrom: "
		"slurm needs PriorityType=priority/multifactor and "
		"AccountingStorageType=accounting_storage/slurmdbd in slurm.conf\n31: "
		"notify.program: \"/p\" is not executable: chmod +x");
	/* 4 features, 2 partitions of flavors, 3 of rules, 3 QOS, 3 accounts, 2
	 * local queues, 3 resources; patterns and users are not judged */
	assert_int_equal(asked, 20);
	conf->local_queue = CONF_LOCAL_USER;
	assert_int_equal(conf_check_names(conf, &names, NULL, NULL), 14);
	assert_int_equal(asked, 38);
	conf_destroy(conf);
}

static void test_known(void **state)
{
	const struct conf_names all = {
		.partition = any_known, .feature = any_known,
		.qos = any_known, .account = any_known,
		.resource = any_known, .nodes = any_nodes,
	};
	const struct conf_names none = { .arg = NULL };
	struct conf *conf = parse_good(text, NULL);
	struct said said = { .text = "" };

	assert_int_equal(conf_check_names(conf, &all, said_add, &said), 0);
	assert_int_equal(conf_check_names(conf, &none, said_add, &said), 0);
	assert_int_equal(said.errors + said.warnings, 0);
	conf_destroy(conf);
}

TESTS(cmocka_unit_test(test_unknown), cmocka_unit_test(test_known))
