/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.c - life of a conf: from a file or a text, to the end
 *
 * Everything is read into a conf that nobody else knows yet; it is given out
 * only if nothing was wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/reader.h"
#include "yaml/file.h"

#define UPDATE_INTERVAL (5 * SPEC_SEC)
#define MAX_POSITION 4000
#define OWN_TIMEOUT (300 * SPEC_SEC)

static struct conf *conf_create(const char *file, const char *text, size_t len)
{
	struct conf *conf = calloc(1, sizeof(*conf));

	if (!conf)
		return NULL;
	conf->update_interval = UPDATE_INTERVAL;
	conf->max_position = MAX_POSITION;
	conf->comments = true;
	conf->own_timeout = OWN_TIMEOUT;
	conf->spec = spec_create();
	conf->file = strdup(file);
	conf->source = malloc(len + 1);
	if (!conf->spec || !conf->file || !conf->source) {
		conf_destroy(conf);
		return NULL;
	}
	memcpy(conf->source, text, len);
	conf->source[len] = '\0';
	return conf;
}

static void flavor_free(struct conf_flavor *flavor)
{
	free(flavor->features);
	free(flavor->nodes);
	free(flavor->partitions);
}

static void queue_free(struct conf_queue *queue)
{
	for (size_t i = 0; i < queue->nmatches; i++) {
		free(queue->matches[i].partition);
		free(queue->matches[i].qos);
		free(queue->matches[i].account);
		free(queue->matches[i].user);
	}
	free(queue->matches);
}

void conf_destroy(struct conf *conf)
{
	int saved = errno;

	if (!conf)
		return;
	for (size_t i = 0; conf->flavors && i < conf->spec->nflavors; i++)
		flavor_free(&conf->flavors[i]);
	for (size_t i = 0; conf->queues && i < conf->spec->nqueues; i++)
		queue_free(&conf->queues[i]);
	free(conf->flavors);
	free(conf->queues);
	spec_destroy(conf->spec);
	free(conf->publish);
	free(conf->source);
	free(conf->file);
	free(conf);
	errno = saved;
}

static int reader_open(struct reader *r)
{
	r->flavors = symtab_create();
	r->cohorts = symtab_create();
	r->queues = symtab_create();
	if (!r->flavors || !r->cohorts || !r->queues)
		return report_nomem(r->report);
	return 0;
}

static void reader_close(struct reader *r)
{
	symtab_destroy(r->flavors);
	symtab_destroy(r->cohorts);
	symtab_destroy(r->queues);
}

static void document_read(struct reader *r, struct node *root)
{
	char err[256];

	if (reader_open(r) < 0 || site_read(r, root) < 0)
		return;
	if (spec_check(r->conf->spec, err, sizeof(err)) < 0)
		report_error(r->report, NULL, 0, "%s", err);
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
	if (r.conf)
		document_read(&r, document_root(doc));
	else
		report_nomem(report);
	reader_close(&r);
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

/* text is freed; NULL: it could not be read, err says why. */
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
		snprintf(err, sizeof(err), "cannot be read: %s",
			 strerror(errno));
	return loaded(path, text, len, err, report, arg);
}

struct conf *conf_load_trusted(const char *path, uid_t owner,
			       conf_report_f report, void *arg)
{
	char err[200];
	size_t len = 0;
	char *text = file_read_trusted(path, owner, &len, err, sizeof(err));

	return loaded(path, text, len, err, report, arg);
}
