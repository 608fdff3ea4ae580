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

static void document_read(struct reader *r, const char *text, size_t len)
{
	struct document *doc = document_load(text, len, r->report);

	if (!doc)
		return;
	if (site_read(r, document_root(doc)) == 0) {
		if (!spec_is_valid(r->conf->spec))
			report_error(r->report, NULL, 0,
				     "what it says of cohorts and queues does not fit together");
		else if (conf_lay_out_periods(r->conf, time(NULL)) < 0)
			report_nomem(r->report);
		else
			advice_give(r, document_root(doc));
	}
	free(r->flavors.of);
	free(r->cohorts.of);
	document_destroy(doc);
}

struct conf *conf_read_text(const char *file, const char *text, size_t len,
			    conf_report_f report, void *arg)
{
	struct reader r = {
		.conf = conf_create(file, text, len), .report = report_create(file),
	};

	if (r.conf && r.report) {
		document_read(&r, text, len);
		r.conf->warnings = report_warnings(r.report);
		report_emit(r.report, report, arg);
	} else if (report) {
		report(arg, false, "out of memory");
	}
	if (r.conf && (!r.report || report_errors(r.report))) {
		conf_destroy(r.conf);
		r.conf = NULL;
	}
	report_destroy(r.report);
	return r.conf;
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
