/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz conf - cohort.yaml, and the engine that it describes
 */
#include "conf.h"
#include "engine.h"
#include "input.h"

static bool never(void *arg, const char *name)
{
	(void) arg;
	return *name == 'x';
}

static bool never_nodes(void *arg, const char *list, char *bad, size_t size)
{
	snprintf(bad, size, "%s", list);
	return never(arg, list);
}

static bool no_program(void *arg, const char *path, char *err, size_t size)
{
	snprintf(err, size, "can't be run");
	return never(arg, path);
}

static bool no_usage(void *arg)
{
	(void) arg;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct conf_names names = {
		.partition = never, .nodes = never_nodes, .feature = never,
		.qos = never, .account = never, .resource = never,
		.program = no_program, .usage = no_usage,
	};
	struct conf *conf = conf_read_text("cohort.yaml", (const char *) data,
					   size, input_report, NULL);
	struct engine *engine;

	if (!conf)
		return 0;
	require(conf->spec);
	conf_check_names(conf, &names, input_report, NULL);
	conf_match_queue(conf, "main", "normal", "ml", "ann");
	conf_match_queue(conf, NULL, NULL, NULL, NULL);
	engine = engine_create(conf->spec);
	require(engine);
	engine_destroy(engine);
	conf_destroy(conf);
	return 0;
}
