/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.c - writes a page: markup as it is, texts escaped
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output/text.h"
#include "text/printable.h"
#include "pages/html.h"

void html_put(struct html *h, const char *markup)
{
	fputs(markup, h->file);
}

void html_text(struct html *h, const char *text)
{
	static const char *const entities[128] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};

	while (*text) {
		size_t n = printable_length(text);

		if (!n)
			fprintf(h->file, "\\x%02x", (unsigned char) *text);
		else if (n == 1 && entities[(unsigned char) *text])
			fputs(entities[(unsigned char) *text], h->file);
		else
			fwrite(text, 1, n, h->file);
		text += n ? n : 1;
	}
}

/* The value of a directive, what follows its %; returns what comes behind it. */
static const char *value_write(struct html *h, const char *at, va_list *args)
{
	int digits = *at == '.' ? at[1] - '0' : 0;
	bool is_long;

	at += *at == '.' ? 2 : 0;
	is_long = *at == 'l' || *at == 'z';
	at += strspn(at, "lz");
	if (*at == 's')
		html_text(h, va_arg(*args, const char *));
	else if (*at == 'f')
		fprintf(h->file, "%.*f", digits, va_arg(*args, double));
	else if (*at == 'g')
		fprintf(h->file, "%g", va_arg(*args, double));
	else if (*at == 'u')
		fprintf(h->file, "%zu", va_arg(*args, size_t));
	else if (*at == 'd')
		fprintf(h->file, "%" PRId64, is_long ? va_arg(*args, int64_t) : va_arg(*args, int));
	else
		putc(*at == 'c' ? va_arg(*args, int) : *at, h->file);
	return at + 1;
}

void html_printf(struct html *h, const char *markup, ...)
{
	va_list args;

	va_start(args, markup);
	while (*markup) {
		size_t n = strcspn(markup, "%");

		fwrite(markup, 1, n, h->file);
		markup += n;
		if (*markup)
			markup = value_write(h, markup + 1, &args);
	}
	va_end(args);
}

void html_address(struct html *h, const char *name)
{
	for (; *name; name++) {
		if (isalnum((unsigned char) *name) || strchr("-_.~", *name))
			putc(*name, h->file);
		else
			fprintf(h->file, "%%%02X", (unsigned char) *name);
	}
}

void html_amount(struct html *h, const char *label, const char *resource, int64_t amount)
{
	html_printf(h, "<td data-label=\"%s\">%s</td>", label,
		    text_amount(TEXT_BUF, resource, amount));
}
