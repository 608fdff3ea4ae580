/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres.c - resources, amounts and TRES strings
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/report.h"
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

static bool word_known(const char *const *words, const char *text, size_t len)
{
	for (; *words; words++)
		if (strlen(*words) == len && !memcmp(*words, text, len))
			return true;
	return false;
}

static int resource_unknown(const char *name, char *err, size_t size)
{
	struct quoted meant;

	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++) {
		size_t n = strlen(habits[i].wrong);
		bool word = isalnum((unsigned char) habits[i].wrong[n - 1]);

		if (!strncmp(name, habits[i].wrong, n) && (!word || name[n] == ':' || !name[n]))
			return errprintf(err, size, "is not a resource (%s%s would be right)",
					 habits[i].right, name + n);
	}
	meant = did_you_mean(name, plain_types, sizeof(*plain_types), SIZE_MAX);
	return errprintf(err, size, "is not a resource%s", *meant.text ? meant.text :
			 " (one of Slurm's TRES, like cpu, mem, node, gres/gpu, license/matlab)");
}

/* What may follow the slash: NAME, for gres also NAME:TYPE, for licenses also NAME@SERVER */
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
	size_t len = slash ? (size_t) (slash - name) : strlen(name);
	bool named = word_known(named_types, name, len);

	if (strlen(name) > RESOURCE_NAME_MAX)
		return errprintf(err, size, "is too long for a resource (at most %d characters)",
				 RESOURCE_NAME_MAX);
	if (!slash && named)
		return errprintf(err, size, "needs a name (%s/NAME would be right)", name);
	if (!slash && word_known(plain_types, name, len))
		return 0;
	if (!slash || !named)
		return resource_unknown(name, err, size);
	if (!resource_name_good(name, slash + 1))
		return errprintf(err, size, "is not a well-formed resource (gres/NAME, "
				 "gres/NAME:TYPE or license/NAME would be right)");
	return 0;
}

/* ---- amounts ---- */

/* log2 of the factor of the suffix, 0 for none, or -1 */
static int suffix_shift(char suffix)
{
	static const char suffixes[] = "KMGTP";
	const char *found = strchr(suffixes, toupper((unsigned char) suffix));

	if (!suffix)
		return 0;
	return found ? 10 * (int) (found - suffixes + 1) : -1;
}

/* end: behind the digits */
static int amount_error(const char *text, const char *end, char *err, size_t size)
{
	if (*text == '-')
		return errprintf(err, size, "is negative");
	if (!*text)
		return errprintf(err, size, "is empty, not an amount");
	if (end > text && *end == '.')
		return errprintf(err, size, "is not a whole number");
	if (end > text && suffix_shift(*end) > 0 &&
	    (!strcasecmp(end + 1, "i") || !strcasecmp(end + 1, "b") || !strcasecmp(end + 1, "ib")))
		return errprintf(err, size, "is not an amount (%.*s would be right)",
				 (int) (end + 1 - text), text);
	return errprintf(err, size, "is not an amount (a whole number, with a suffix K, M, G, T or "
			 "P if wanted)");
}

int amount_parse(const char *resource, const char *text, int64_t *amount, char *err, size_t size)
{
	const char *end = text;
	int64_t n = 0;
	int shift;

	for (; isdigit((unsigned char) *end); end++)
		if (n <= AMOUNT_MAX)
			n = 10 * n + (*end - '0');
	shift = suffix_shift(*end);
	if (end == text || shift < 0 || (*end && end[1]))
		return amount_error(text, end, err, size);
	if (*end && !strcmp(resource, "mem"))
		shift -= suffix_shift('M');
	if (n <= AMOUNT_MAX && shift < 0) {
		if (n & ((INT64_C(1) << -shift) - 1))
			return errprintf(err, size, "is not a whole number of MB");
		n >>= -shift;
		shift = 0;
	}
	if (shift < 0 || n > AMOUNT_MAX >> shift)
		return errprintf(err, size, "is over the maximum of %lld", (long long) AMOUNT_MAX);
	*amount = n << shift;
	return 0;
}

void amount_format(const char *resource, int64_t amount, char *buf, size_t size)
{
	const char *suffix = "MGTP";
	bool mem = !strcmp(resource, "mem") && amount;

	for (; mem && suffix[1] && !(amount & 1023); suffix++)
		amount >>= 10;
	snprintf(buf, size, "%lld%.*s", (long long) amount, mem, suffix);
}

/* ---- TRES strings ---- */

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
	if (*end && !end[1])
		return errprintf(err, size, "ends in a comma");
	if (equals && !word_copy(tres->name, sizeof(tres->name), start, equals - start) &&
	    !word_copy(tres->value, sizeof(tres->value), equals + 1, end - equals - 1))
		return 1;
	return errprintf(err, size, "\"%.*s\" is not RESOURCE=AMOUNT (\"cpu=4,mem=16G\" would be "
			 "right)", len > 60 ? 60 : (int) len, start);
}
