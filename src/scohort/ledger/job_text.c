/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_text.c - what a job asks for, in short
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job_text.h"

static size_t item_add(char *buf, size_t size, size_t used, const char *item,
		       size_t len, const char *unit)
{
	if (used >= size)
		return used;
	return used + (size_t) snprintf(buf + used, size - used, "%s%.*s%s",
					used ? "," : "", (int) len, item, unit);
}

/* billing is no request; without a database GPUs are in another field. */
char *request_text(const struct view *v, char *buf, size_t size)
{
	const char *asked = v->tres_asked ? v->tres_asked : "";
	bool gres = strstr(asked, "gres/");
	size_t used = 0, len;

	buf[0] = '\0';
	for (const char *p = asked; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (strncmp(p, "billing=", 8) != 0)
			used = item_add(buf, size, used, p, len, "");
	}
	if (!gres && v->tres_per_job)
		used = item_add(buf, size, used, v->tres_per_job,
				strlen(v->tres_per_job), "");
	if (!gres && v->tres_per_node)
		item_add(buf, size, used, v->tres_per_node,
			 strlen(v->tres_per_node), "/node");
	return buf;
}

char *class_text(const struct published *p, const struct view *v, char *buf,
		 size_t size)
{
	const char *priority = json_text(p->document, "priority");

	if (!strcmp(priority, "job"))
		snprintf(buf, size, "%u", v->priority);
	else if (strcmp(priority, "partition") != 0 && v->qos)
		snprintf(buf, size, "%s", v->qos);
	else
		snprintf(buf, size, "%s", v->partition ? v->partition : "");
	return buf;
}
