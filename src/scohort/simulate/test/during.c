/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test during.c - Ctrl-C: a replay stops, and has the figures so far
 */
#include <signal.h>
#include <unistd.h>

#include "input/json_members.h"
#include "simulate/simulate.h"
#include "test/tests.h"

static const char text[] =
	"flavors: [{name: f}]\n"
	"clusterQueues:\n"
	"- name: q\n"
	"  match: [{account: a}]\n"
	"  resourceGroups: [{coveredResources: [cpu], flavors:"
	" [{name: f, nominalQuota: cpu=1}]}]\n";

static void fail_report(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	fail_msg("%s", message);
}

/* A thousand jobs, one after the other, of 10 s each */
static struct trace *trace_make(void)
{
	char path[] = "/tmp/test_progress.XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct trace *trace;

	assert_non_null(f);
	fputs("submit,duration,queue,request\n", f);
	for (int i = 0; i < 1000; i++)
		fputs("0,10,q,cpu=1\n", f);
	fclose(f);
	trace = trace_load(path, &(struct trace_options) { 0 }, fail_report, NULL);
	unlink(path);
	assert_non_null(trace);
	return trace;
}

/* The second look is interrupted. */
static bool second_look(void *arg, size_t done, size_t of, int64_t now)
{
	int *looks = arg;

	assert_int_equal(of, 1000);
	if (++*looks == 2)
		assert_int_equal(raise(SIGINT), 0);
	return progress_show(NULL, done, of, now);
}

static void none(int signo)
{
	(void) signo;
}

static void *disposition(void)
{
	struct sigaction now;

	assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
	return (void *) now.sa_handler;
}

/* A caller that ignores Ctrl-C, as nohup does, goes on ignoring it; what it had
 * set is set again at the end; and after one Ctrl-C no other one is caught. */
static void test_dispositions(void **state)
{
	static void (*const was[])(int) = { SIG_IGN, SIG_DFL, none };

	for (size_t i = 0; i < 3; i++) {
		struct progress *progress;

		signal(SIGINT, was[i]);
		progress = progress_begin("c", NULL);
		if (was[i] == SIG_IGN)
			assert_ptr_equal(disposition(), (void *) SIG_IGN);
		else
			assert_ptr_not_equal(disposition(), (void *) was[i]);
		progress_end(progress);
		assert_ptr_equal(disposition(), (void *) was[i]);
	}
}

static void test_interrupt(void **state)
{
	struct trace *trace = trace_make();
	struct conf *conf = conf_read_text("c", text, strlen(text), fail_report, NULL);
	struct progress *progress = progress_begin("c", trace);
	int looks = 0;
	struct replay_options how = { .progress = second_look, .arg = &looks };
	struct json_object *d;
	struct replay *r;
	size_t ended;

	assert_non_null(conf);
	r = replay_run(conf, trace, &how);
	progress_end(progress);
	assert_non_null(r);
	assert_int_equal(looks, 2);
	assert_true(r->stopped);
	assert_false(r->endless);
	ended = r->queues[0].ended;
	assert_in_range(ended, 1, 999);
	/* it is over when it was stopped: one job runs, all others wait */
	assert_int_equal(r->end - r->begin, (int64_t) ended * 10 * SPEC_SEC);
	assert_int_equal(r->queues[0].started, ended + 1);
	d = simulate_document(r, NULL);
	assert_true(json_truth(d, "stopped"));
	json_object_put(d);
	replay_free(r);
	conf_destroy(conf);
	trace_free(trace);
}

/* test_interrupt() has pressed it. */
static void test_second_configuration(void **state)
{
	struct progress *progress;

	signal(SIGINT, none);
	progress = progress_begin("c", NULL);
	assert_ptr_equal(disposition(), (void *) none);
	progress_end(progress);
}

TESTS(cmocka_unit_test(test_dispositions), cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_second_configuration))
