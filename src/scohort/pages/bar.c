/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bar.c - quota as a bar, and as cells of a table
 */
#include "input/json_members.h"
#include "lib/sat.h"
#include "output/text.h"
#include "pages/pages.h"

#define WIDTH 1000.0		/* of the picture; it is stretched */

static int64_t nominal_of(struct json_object *quota)
{
	return json_member(quota, "subtree") ? json_number(quota, "subtree")
					     : json_number(quota, "nominal");
}

struct parts quota_parts(struct json_object *quota)
{
	struct parts parts = { .lent = json_number(quota, "lent"),
			       .borrowed = json_number(quota, "borrowed") };

	parts.own = max64(0, sat_sub(json_number(quota, "used"), parts.borrowed));
	parts.unused = max64(0, sat_sub(sat_sub(nominal_of(quota), parts.own), parts.lent));
	return parts;
}

static double part_write(struct html *h, const char *kind, double from, int64_t part, double all)
{
	double width = all > 0 ? WIDTH * (double) part / all : 0;

	if (part > 0)
		html_printf(h, "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" "
			    "height=\"10\"/>", kind, from, width);
	return from + width;
}

static double all_of(const struct parts *p)
{
	return (double) p->own + (double) p->lent + (double) p->unused + (double) p->borrowed;
}

void scale_add(struct json_object *scale, struct json_object *node)
{
	for (size_t i = 0; i < json_items(node, "quota"); i++) {
		struct json_object *quota = json_item(node, "quota", i);
		const struct parts p = quota_parts(quota);
		const char *resource = json_text(quota, "resource");

		if (all_of(&p) > json_real(scale, resource))
			json_object_object_add(scale, resource, json_object_new_double(all_of(&p)));
	}
}

void bar_write(struct html *h, struct json_object *quota, struct json_object *scale)
{
	const struct parts p = quota_parts(quota);
	const double all = scale ? json_real(scale, json_text(quota, "resource")) : all_of(&p);
	const char *resource = json_text(quota, "resource");
	double x;

	html_printf(h, "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
		    "role=\"img\" aria-label=\"own use %s, lent %s, unused %s, borrowed %s\">",
		    text_amount(TEXT_BUF, resource, p.own), text_amount(TEXT_BUF, resource, p.lent),
		    text_amount(TEXT_BUF, resource, p.unused),
		    text_amount(TEXT_BUF, resource, p.borrowed));
	x = part_write(h, "own", 0, p.own, all);
	x = part_write(h, "lent", x, p.lent, all);
	x = part_write(h, "unused", x, p.unused, all);
	part_write(h, "borrowed", x, p.borrowed, all);
	html_put(h, "</svg>");
}

void bar_legend(struct html *h)
{
	static const struct {
		const char *kind, *says;
	} kinds[] = {
		{ "own", "own use" }, { "lent", "lent" },
		{ "unused", "unused" }, { "borrowed", "borrowed" },
	};

	html_put(h, "<ul class=\"legend\" aria-hidden=\"true\">");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		html_printf(h, "<li><svg viewBox=\"0 0 10 10\"><rect class=\"%s\" width=\"10\" "
			    "height=\"10\"/></svg>"
			    "%s</li>", kinds[i].kind, kinds[i].says);
	html_put(h, "</ul>\n");
}

/* ---- a row ---- */

static const struct {
	const char *label, *key;
} amounts[] = {
	{ "Used", "used" }, { "Borrowed", "borrowed" }, { "Lent", "lent" },
	{ "Free", "free" }, { "Reclaim", "reclaimable" },
};

void quota_headers(struct html *h)
{
	html_put(h, "<th scope=\"col\" class=\"wide\">Quota</th>"
		 "<th scope=\"col\" class=\"text\">Flavor</th>"
		 "<th scope=\"col\" class=\"text\">Resource</th>"
		 "<th scope=\"col\">Nominal</th>");
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
		html_printf(h, "<th scope=\"col\">%s</th>", amounts[i].label);
}

void quota_cells(struct html *h, struct json_object *quota, struct json_object *scale)
{
	const char *resource = json_text(quota, "resource");

	if (!quota) {
		html_put(h, "<td colspan=\"9\">no quota</td>");
		return;
	}
	html_put(h, "<td class=\"wide\">");
	bar_write(h, quota, scale);
	html_printf(h, "</td><td class=\"text\" data-label=\"Flavor\">%s</td>"
		    "<td class=\"text\" data-label=\"Resource\">%s</td>",
		    json_text(quota, "flavor"), resource);
	html_amount(h, "Nominal", resource, nominal_of(quota));
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		if (json_member(quota, amounts[i].key))
			html_amount(h, amounts[i].label, resource,
				    json_number(quota, amounts[i].key));
		else
			html_printf(h, "<td data-label=\"%s\">-</td>", amounts[i].label);
	}
}
