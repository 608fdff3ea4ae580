/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test findings.c - what was found, as lines and as a document
 */
#include <json.h>

#include "patient.h"

static void begin(struct doctor *d)
{
	*d = (struct doctor) { .path = "/e/f", .findings = json_object_new_array(),
			       .unknown = json_object_new_array(), .group = "Slurm" };
}

static void end(struct doctor *d)
{
	json_object_put(d->findings);
	json_object_put(d->unknown);
}

static void prints(struct doctor *d, bool verbose, const char *want)
{
	char *text = NULL;
	size_t size;
	struct output out = { .file = open_memstream(&text, &size) };

	d->verbose = verbose;
	findings_print(d, &out);
	fclose(out.file);
	assert_string_equal(text, want);
	free(text);
}

static void quiet(void **state)
{
	struct doctor d;

	begin(&d);
	d.looks = 2;
	found(&d, SEVERITY_OK, "policies", "%s", "");
	found(&d, SEVERITY_OK, "PreemptType", "preempt/%s", "cohort");
	prints(&d, false, "All is well: 2 things looked at\n");
	prints(&d, true, "Slurm\n  ok       policies\n  ok       PreemptType: preempt/cohort\n"
	       "All is well: 2 things looked at\n");
	found(&d, SEVERITY_NOTE, "defer", "so it %s", "is");
	prints(&d, false, "Slurm\n  note     defer: so it is\n"
	       "All is well: 1 note; 2 things looked at\n");
	end(&d);
}

static void grouped(void **state)
{
	struct doctor d;

	begin(&d);
	d.looks = 1;
	found(&d, SEVERITY_WARNING, "x", "one");
	found(&d, SEVERITY_WARNING, "y", "two");
	d.group = "cohort.yaml";
	found(&d, SEVERITY_ERROR, found_line(&d, 7), "three");
	found(&d, SEVERITY_NOTE, found_line(&d, 0), "four\n");
	found_unknown(&d, "jobs", "down");
	found_unknown(&d, "nodes", "closed");
	found_unknown(&d, "queues", "down");
	prints(&d, false, "Slurm\n  warning  x: one\n  warning  y: two\n"
	       "cohort.yaml\n  error    /e/f:7: three\n  note     /e/f: four\\x0a\n"
	       "Not looked at\n  down: jobs, queues\n  closed: nodes\n"
	       "There is something to do: 1 error, 2 warnings, 1 note; 1 thing looked at\n");
	end(&d);
}

static void not_all_was_seen(void **state)
{
	struct doctor d;

	begin(&d);
	found_unknown(&d, "jobs", "down");
	prints(&d, false, "Not looked at\n  down: jobs\nNothing wrong was seen: 0 things looked "
		"at\n");
	end(&d);
}

/* What scohort check says */
static void messages_of_the_file(void **state)
{
	struct doctor d;

	begin(&d);
	found_in_file(&d, true, "/e/f:12: warning: clusterQueues[0]: lends");
	found_in_file(&d, true, "/e/f: warning: no cluster queue");
	found_in_file(&d, false, "/e/f:3: priority: warning: is wrong");
	found_in_file(&d, false, "/e/f: cannot be read");
	found_in_file(&d, false, "out of memory");
	prints(&d, false, "Slurm\n  warning  /e/f:12: clusterQueues[0]: lends\n"
	       "  warning  /e/f: no cluster queue\n"
	       "  error    /e/f:3: priority: warning: is wrong\n"
	       "  error    /e/f: cannot be read\n"
	       "  error    /e/f: out of memory\n"
	       "There is something to do: 3 errors, 2 warnings; 0 things looked at\n");
	end(&d);
}

static void document(void **state)
{
	static const char want[] =
		"{\"file\":\"/e/f\",\"lookedAt\":5,\"errors\":0,\"warnings\":1,\"notes\":0,"
		"\"findings\":[{\"group\":\"Slurm\",\"severity\":\"warning\","
		"\"where\":\"/e/f:7\",\"message\":\"one\"}],"
		"\"notLookedAt\":[{\"why\":\"down\",\"what\":[\"jobs\"]}]}";
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	struct json_object *o;
	struct doctor d;

	begin(&d);
	d.looks = 5;
	found(&d, SEVERITY_WARNING, found_line(&d, 7), "one");
	found_unknown(&d, "jobs", "down");
	o = findings_document(&d);
	assert_string_equal(json_object_to_json_string_ext(o, flags), want);
	json_object_put(o);
	end(&d);
}

TESTS(cmocka_unit_test(quiet), cmocka_unit_test(grouped), cmocka_unit_test(not_all_was_seen),
      cmocka_unit_test(messages_of_the_file), cmocka_unit_test(document))
