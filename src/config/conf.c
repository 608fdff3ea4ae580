/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.c - life of a conf: from a file or a text, to the end
 *
 * The file is read into a conf that only the reader knows. The conf is given
 * out only if nothing was wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conf.h"
#include "section/sections.h"
#include "yaml/file.h"

static void document_read(struct reader *r, struct node *root)
{
	char err[256];

	if (site_read(r, root) < 0)
		return;
	if (spec_check(r->conf->spec, err, sizeof(err)) < 0)
		report_error(r->report, NULL, 0, "%s", err);
	else if (conf_lay_out_periods(r->conf, time(NULL)) < 0)
		report_nomem(r->report);
	else
		advice_give(r, root);
}

static struct conf *text_read(const char *file, const char *text, size_t len,
			      struct report *report)
{
	struct document *doc = document_load(text, len, report);
	struct reader r = { .report = report };

	if (!doc)
		return NULL;
	r.conf = conf_create(file, text, len);
	if (r.conf) {
		site_initial(r.conf);
		document_read(&r, document_root(doc));
	} else {
		report_nomem(report);
	}
	free(r.flavors.of);
	free(r.cohorts.of);
	document_destroy(doc);
	if (!report_errors(report)) {
		r.conf->warnings = report_warnings(report);
		return r.conf;
	}
	conf_destroy(r.conf);
	return NULL;
}

struct conf *conf_read_text(const char *file, const char *text, size_t len,
			conf_report_f report, void *arg)
{
	struct report *messages = report_create(file);
	struct conf *conf;

	if (!messages) {
		if (report)
			report(arg, false, "out of memory");
		return NULL;
	}
	conf = text_read(file, text, len, messages);
	report_emit(messages, report, arg);
	report_destroy(messages);
	return conf;
}

/* Frees text. text == NULL: the file could not be read, err says why. */
static struct conf *loaded(const char *path, char *text, size_t len,
			   const char *err, conf_report_f report, void *arg)
{
	char message[640];
	struct conf *conf = NULL;

	if (text) {
		conf = conf_read_text(path, text, len, report, arg);
	} else if (report) {
		snprintf(message, sizeof(message), "%.400s: %s", path, err);
		report(arg, false, message);
	}
	free(text);
	return conf;
}

struct conf *conf_load(const char *path, conf_report_f report, void *arg)
{
	char err[200];
	size_t len = 0;
	char *text = file_read(path, &len);

	if (!text)
		snprintf(err, sizeof(err), "cannot be read: %s", strerror(errno));
	return loaded(path, text, len, err, report, arg);
}

struct conf *conf_load_trusted(const char *path, uid_t owner, conf_report_f report, void *arg)
{
	char err[200];
	size_t len = 0;
	char *text = file_read_trusted(path, owner, &len, err, sizeof(err));

	return loaded(path, text, len, err, report, arg);
}
