/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - writes a page: markup as it is, texts escaped
 *
 * Markup is a literal of this program. Whatever comes from outside is a value of
 * html_printf(), or goes through html_text() or html_address(). A text shows as it does in a
 * terminal (printable.h): what can't be seen is \xNN.
 */
#ifndef SCOHORT_HTML_H
#define SCOHORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct html {
	FILE *file;
	const char *up;		/* from this page to the first one: "" or "../" */
};

void html_put(struct html *h, const char *markup);
/* Markup with values, as printf() has them: %s a text, which is escaped; %d, PRId64, %zu, %c,
 * %.1f, %g, %%, and no others */
void html_printf(struct html *h, const char *markup, ...)
	__attribute__((format(printf, 2, 3)));
/* A text, in an element or between double quotes */
void html_text(struct html *h, const char *text);
/* A name as the last part of an address, between double quotes */
void html_address(struct html *h, const char *name);

/* <td> with an amount of a resource (text_amount()); label: what the column
 * says, for narrow screens */
void html_amount(struct html *h, const char *label, const char *resource, int64_t amount);

#endif /* SCOHORT_HTML_H */
