/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config_state.c - is the cohort.yaml on disk the one that is in force?
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/config_state.h"
#include "lib/sat.h"
#include "output/text.h"

static void rejected_say(struct json_object *c, const char *on_disk,
			 int64_t now, char *buf, size_t size)
{
	char at[TEXT_SIZE], since[TEXT_SIZE], more[80] = "", force[TEXT_SIZE + 80];
	int64_t others = sat_sub(json_number(c, "errors"), 1);

	if (others > 0)
		snprintf(more, sizeof(more), " (and %ld more error%s)",
			 (long) others, text_s(others));
	if (json_number(c, "since"))
		snprintf(force, sizeof(force), "The configuration of %s is in "
			 "force.", text_time(since, sizeof(since),
					     json_number(c, "since"), now));
	else
		snprintf(force, sizeof(force), "There was no valid one before: "
			 "all jobs are scheduled without quota.");
	snprintf(buf, size, "%s is not in force. slurmctld rejected it at %s: "
		 "%s%s. %s%s",
		 json_text(c, "file"),
		 text_time(at, sizeof(at), json_number(c, "rejectedAt"), now),
		 json_text(c, "error"), more, force,
		 !strcmp(on_disk, "changed") ? " The file has changed since: "
		 "run scohort check, then scontrol reconfigure." : "");
}

bool config_is_in_force(struct json_object *document, int64_t now, char *buf,
			size_t size)
{
	struct json_object *c = json_member(document, "configuration");
	const char *on_disk = json_text(c, "onDisk");
	char since[TEXT_SIZE];

	if (!c)
		return true;
	text_time(since, sizeof(since), json_number(c, "since"), now);
	if (!json_truth(c, "valid"))
		rejected_say(c, on_disk, now, buf, size);
	else if (!strcmp(on_disk, "changed"))
		snprintf(buf, size, "%s has changed since slurmctld read it. "
			 "The configuration of %s is in force: run scohort "
			 "check, then scontrol reconfigure.",
			 json_text(c, "file"), since);
	else if (!strcmp(on_disk, "missing"))
		snprintf(buf, size, "%s is missing. The configuration of %s "
			 "is in force.", json_text(c, "file"), since);
	else
		return true;
	return false;
}
