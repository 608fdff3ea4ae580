/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_path.c - files of Slurm's configuration folder; values in slurm.conf
 *
 * Lines are read as Slurm reads them (parse_config.c): a '#' begins a comment, a '\' at the
 * end of a line joins it with the next one, a '\' before another character stands for that.
 * This takes more than Slurm does, so that nothing private is missed: any line may have
 * several pairs.
 */
#define _GNU_SOURCE	/* strcasestr */
#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"
#include "slurm/conf_path.h"

/* Where slurmd and sackd keep what slurmctld sent them */
#define SENT_CONF "/run/slurm/conf/slurm.conf"
#define INCLUDES_MAX 10		/* a file that includes itself has no end */

const char *conf_path(const char *name, char *path, size_t size)
{
	const char *env = getenv("SLURM_CONF");
	char copy[PATH_MAX];

	if (!env || !*env) {
		snprintf(path, size, "%s/%s", COHORT_SLURM_SYSCONFDIR, name);
		return path;
	}
	snprintf(copy, sizeof(copy), "%s", env);
	snprintf(path, size, "%s/%s", dirname(copy), name);
	return path;
}

/* ---- lines, and the pairs of key and value in them ---- */

#define SPACE " \t\r\n\v\f"
#define KEY "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

static void comment_cut(char *text)
{
	bool escaped = false;

	for (; *text && (*text != '#' || escaped); text++)
		escaped = *text == '\\' && !escaped;
	*text = '\0';
}

/* True: the line goes on, and its last '\' is gone. */
static bool continuation_cut(char *text)
{
	size_t end = strlen(text), begin;

	while (end && isspace((unsigned char) text[end - 1]))
		end--;
	for (begin = end; begin && text[begin - 1] == '\\';)
		begin--;
	if ((end - begin) % 2 == 0)
		return false;
	text[end - 1] = '\0';
	return true;
}

static void escapes_strip(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && text[1])
			text++;
		*to++ = *text++;
	}
	*to = '\0';
}

bool conf_line_read(struct conf_line *line, FILE *file)
{
	bool any = false, more = true, kept;
	char *part = NULL;
	size_t room = 0;
	FILE *all;

	free(line->text);
	line->text = NULL;
	all = open_memstream(&line->text, &line->size);
	while (all && more && getline(&part, &room, file) >= 0) {
		comment_cut(part);
		more = continuation_cut(part);
		fputs(part, all);
		any = true;
	}
	free(part);
	kept = all && !fclose(all);
	/* getline() without memory has not come to the end, either */
	line->failed = !kept || ferror(file) || ((!any || more) && !feof(file));
	if (line->failed)
		return false;
	escapes_strip(line->text);
	return any;
}

/* The key and '=' with an operator before it; what follows is the value. NULL: none */
static char *key_cut(char *text, char **key)
{
	char *end;

	*key = text + strspn(text, SPACE);
	end = *key + strspn(*key, KEY);
	text = end + strspn(end, SPACE);
	if (*text && strchr("-*+/", *text))
		text++;
	if (end == *key || *text != '=')
		return NULL;
	*end = '\0';
	text++;
	return text + strspn(text, SPACE);
}

bool conf_line_pair(char **rest, char **key, char **value)
{
	char *text = key_cut(*rest, key), *close;

	if (!text || !*text)
		return false;
	close = *text == '"' ? strchr(text + 1, '"') : NULL;
	*value = close ? text + 1 : text;
	text = close ? close : text + strcspn(text, SPACE);
	*rest = *text ? text + 1 : text;
	*text = '\0';
	return true;
}

/* ---- a value ---- */

struct search {
	const char *key;
	const char *conf;	/* slurm.conf: what it includes is beside it */
	char *value;
	size_t size;
	char *unread;		/* of CONF_PATH_MAX; "": all were read */
	bool found;
	bool unfit;		/* the last value does not fit into value */
	bool opened;		/* there was a file at all */
};

static void file_search(struct search *s, const char *path, int depth);

/* 'Include FILE'. '%c' and '*' are not known here: such a file is not found. */
static void include_search(struct search *s, const char *line, int depth)
{
	char name[PATH_MAX], folder[PATH_MAX], path[CONF_PATH_MAX];

	if (strncasecmp(line, "include", 7)
	    || sscanf(line + 7, "%*[ \t]%4095[^ \t#\r\n]", name) != 1)
		return;
	snprintf(folder, sizeof(folder), "%s", s->conf);
	if (*name == '/')
		snprintf(path, sizeof(path), "%s", name);
	else if ((size_t) snprintf(path, sizeof(path), "%s/%s",
				   dirname(folder), name) >= sizeof(path))
		path[0] = '\0';
	file_search(s, path, depth + 1);
}

/* As Slurm has it, the last value is the one that holds. */
static void line_search(struct search *s, char *rest)
{
	char *key, *value;

	while (conf_line_pair(&rest, &key, &value)) {
		if (strcasecmp(key, s->key) || !*value)
			continue;
		s->found = (size_t) snprintf(s->value, s->size, "%s", value) < s->size;
		s->unfit = !s->found;
	}
}

static void file_search(struct search *s, const char *path, int depth)
{
	FILE *file = depth < INCLUDES_MAX ? fopen(path, "re") : NULL;
	struct conf_line line = { .text = NULL };

	s->opened |= !!file;
	if (!file && (depth || errno != ENOENT))
		snprintf(s->unread, CONF_PATH_MAX, "%s", path);
	while (file && !*s->unread && conf_line_read(&line, file)) {
		include_search(s, line.text, depth);
		line_search(s, line.text);
	}
	if (line.failed && !*s->unread)
		snprintf(s->unread, CONF_PATH_MAX, "%s", path);
	free(line.text);
	if (file)
		fclose(file);
}

/* path: for that of slurm.conf, has room for CONF_PATH_MAX */
static void all_search(struct search *s, char *path)
{
	const char *env = getenv("SLURM_CONF");
	bool given = env && *env;

	*s->unread = '\0';
	if (given)
		snprintf(path, CONF_PATH_MAX, "%s", env);
	else
		conf_path("slurm.conf", path, CONF_PATH_MAX);
	s->conf = path;
	file_search(s, s->conf, 0);
	if (!s->found && !*s->unread && !given) {
		s->conf = SENT_CONF;
		file_search(s, s->conf, 0);
	}
}

bool conf_value(const char *key, char *value, size_t size, char *unread)
{
	char path[CONF_PATH_MAX], ignored[CONF_PATH_MAX];
	struct search s = {
		.key = key, .value = value, .size = size,
		.unread = unread ? unread : ignored,
	};

	all_search(&s, path);
	return s.found;
}

/* What slurmctld takes for it (read_config.c): "job" anywhere in it, or "all" */
int conf_jobs_are_private(char *unread)
{
	char private[1024], path[CONF_PATH_MAX];
	struct search s = {
		.key = "PrivateData", .value = private,
		.size = sizeof(private), .unread = unread,
	};

	all_search(&s, path);
	if (!*unread && (!s.opened || s.unfit))
		snprintf(unread, CONF_PATH_MAX, "%s", path);
	if (*unread)
		return -1;
	return s.found && (strcasestr(private, "job") || strcasestr(private, "all"));
}
