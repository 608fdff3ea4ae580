/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres.c - resources, amounts and TRES strings
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/suggestion.h"
#include "value/tres.h"

/* Slurm's TRES types: plain ones are complete, named ones need a name */
static const char *const plain_types[] = {
	"cpu", "mem", "node", "billing", "energy", "pages", "vmem", NULL
};
static const char *const named_types[] = {
	"bb", "fs", "gres", "ic", "license", NULL
};

/* What people write instead: the beginning of it, and its replacement */
static const struct {
	const char *wrong;
	const char *right;
} habits[] = {
	{ "nvidia.com/gpu", "gres/gpu" },
	{ "gpus", "gres/gpu" },
	{ "gpu", "gres/gpu" },
	{ "shard", "gres/shard" },
	{ "mps", "gres/mps" },
	{ "gres:", "gres/" },
	{ "licenses/", "license/" },
	{ "licenses:", "license/" },
	{ "license:", "license/" },
	{ "memory", "mem" },
	{ "nodes", "node" },
	{ "cores", "cpu" },
};

#define NHABITS (sizeof(habits) / sizeof(habits[0]))

static bool word_known(const char *const *words, const char *text, size_t len)
{
	for (; *words; words++)
		if (strlen(*words) == len && !memcmp(*words, text, len))
			return true;
	return false;
}

static int resource_unknown(const char *name, char *err, size_t size)
{
	struct suggestion near;

	for (size_t i = 0; i < NHABITS; i++) {
		size_t n = strlen(habits[i].wrong);

		if (strncmp(name, habits[i].wrong, n) != 0)
			continue;
		if (isalnum((unsigned char) name[n - 1]) &&
		    name[n] != ':' && name[n])
			continue;
		snprintf(err, size, "is not a resource (%s%s would be right)",
			 habits[i].right, name + n);
		return -1;
	}
	suggestion_init(&near, name);
	for (const char *const *t = plain_types; *t; t++)
		suggestion_try(&near, *t);
	if (near.best)
		snprintf(err, size, "is not a resource (did you mean %s?)",
			 near.best);
	else
		snprintf(err, size, "is not a resource (one of Slurm's TRES, "
			 "like cpu, mem, node, gres/gpu, license/matlab)");
	return -1;
}

/* What may follow the slash: NAME, for gres also NAME:TYPE, for licenses also
 * NAME@SERVER */
static bool resource_name_good(const char *type, const char *name)
{
	char extra = *type == 'g' ? ':' : *type == 'l' ? '@' : '\0';
	size_t length = 0;

	for (; *name; name++) {
		if (isalnum((unsigned char) *name) || strchr("_.-", *name)) {
			length++;
		} else if (extra && *name == extra && length) {
			extra = '\0';
			length = 0;
		} else {
			return false;
		}
	}
	return length > 0;
}

int resource_check(const char *name, char *err, size_t size)
{
	const char *slash = strchr(name, '/');

	if (strlen(name) > RESOURCE_NAME_MAX) {
		snprintf(err, size, "is too long for a resource (at most %d "
			 "characters)", RESOURCE_NAME_MAX);
		return -1;
	}
	if (!slash && word_known(named_types, name, strlen(name))) {
		snprintf(err, size, "needs a name (%s/NAME would be right)",
			 name);
		return -1;
	}
	if (!slash && word_known(plain_types, name, strlen(name)))
		return 0;
	if (!slash || !word_known(named_types, name, slash - name))
		return resource_unknown(name, err, size);
	if (!resource_name_good(name, slash + 1)) {
		snprintf(err, size, "is not a well-formed resource (gres/NAME, "
			 "gres/NAME:TYPE or license/NAME would be right)");
		return -1;
	}
	return 0;
}

/* log2 of the factor of the suffix, or -1 */
static int suffix_shift(char suffix)
{
	static const char suffixes[] = "KMGTP";
	const char *found = strchr(suffixes, toupper((unsigned char) suffix));

	return suffix && found ? 10 * (int) (found - suffixes + 1) : -1;
}

static int amount_error(const char *text, const char *end, char *err,
			size_t size)
{
	if (*text == '-')
		snprintf(err, size, "is negative");
	else if (!*text)
		snprintf(err, size, "is empty, not an amount");
	else if (end > text && suffix_shift(*end) > 0 &&
		 (!strcasecmp(end + 1, "i") || !strcasecmp(end + 1, "b") ||
		  !strcasecmp(end + 1, "ib")))
		snprintf(err, size, "is not an amount (%.*s would be right)",
			 (int) (end + 1 - text), text);
	else if (end > text && *end == '.')
		snprintf(err, size, "is not a whole number");
	else
		snprintf(err, size, "is not an amount (a whole number, with a "
			 "suffix K, M, G, T or P if wanted)");
	return -1;
}

static int amount_too_big(char *err, size_t size)
{
	snprintf(err, size, "is over the maximum of %lld",
		 (long long) AMOUNT_MAX);
	return -1;
}

/* n << shift, or n >> -shift; -1 with err if that is not whole or is too big */
static int amount_scale(int64_t n, int shift, int64_t *amount, char *err,
			size_t size)
{
	if (shift < 0) {
		if (n & ((INT64_C(1) << -shift) - 1)) {
			snprintf(err, size, "is not a whole number of MB");
			return -1;
		}
		n >>= -shift;
		shift = 0;
	}
	if (n > AMOUNT_MAX >> shift)
		return amount_too_big(err, size);
	*amount = n << shift;
	return 0;
}

int amount_parse(const char *resource, const char *text, int64_t *amount,
		 char *err, size_t size)
{
	const char *p = text;
	bool mem = !strcmp(resource, "mem");
	int64_t n = 0;
	int shift = 0;

	for (; isdigit((unsigned char) *p); p++)
		if (n <= AMOUNT_MAX)
			n = 10 * n + (*p - '0');
	if (p == text)
		return amount_error(text, p, err, size);
	if (*p) {
		shift = suffix_shift(*p);
		if (shift < 0 || p[1])
			return amount_error(text, p, err, size);
		if (mem)
			shift -= suffix_shift('M');
	}
	if (n > AMOUNT_MAX)
		return amount_too_big(err, size);
	return amount_scale(n, shift, amount, err, size);
}

/* Copies text[0..len) without the blanks around it; -1 if it does not fit. */
static int word_copy(char *to, size_t size, const char *text, size_t len)
{
	while (len && isblank((unsigned char) *text)) {
		text++;
		len--;
	}
	while (len && isblank((unsigned char) text[len - 1]))
		len--;
	if (len >= size)
		return -1;
	memcpy(to, text, len);
	to[len] = '\0';
	return 0;
}

int tres_next(const char **cursor, struct tres *tres, char *err, size_t size)
{
	const char *start = *cursor;
	size_t len = strcspn(start, ",");
	const char *end = start + len, *equals = memchr(start, '=', len);

	if (!*start)
		return 0;
	*cursor = end + !!*end;
	if (*end && !end[1]) {
		snprintf(err, size, "ends in a comma");
		return -1;
	}
	if (equals && !word_copy(tres->name, sizeof(tres->name), start,
				 equals - start) &&
	    !word_copy(tres->value, sizeof(tres->value), equals + 1,
		       end - equals - 1))
		return 1;
	snprintf(err, size, "\"%.*s\" is not RESOURCE=AMOUNT "
		 "(\"cpu=4,mem=16G\" would be right)",
		 len > 60 ? 60 : (int) len, start);
	return -1;
}

void amount_format(const char *resource, int64_t amount, char *buf,
		   size_t size)
{
	static const char suffixes[] = "MGTP";
	size_t i = 0;

	if (strcmp(resource, "mem") != 0 || !amount) {
		snprintf(buf, size, "%lld", (long long) amount);
		return;
	}
	for (; suffixes[i + 1] && !(amount & 1023); i++)
		amount >>= 10;
	snprintf(buf, size, "%lld%c", (long long) amount, suffixes[i]);
}
