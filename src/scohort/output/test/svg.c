/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test svg.c - colours that stay apart, also for the colour-blind
 *
 * How people see who lack one kind of cones is computed with the matrices of
 * Machado, Oliveira and Fernandes (2009), for linear RGB. Colours are compared in
 * CIE L*a*b*, where a distance of 2 is just seen.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/svg.h"

#define PLAIN 10
#define ALL 20
#define APART 20

static const double eyes[][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	/* no red: protanopia */
	{ { 0.152286, 1.052583, -0.204868 },
	  { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	/* no green: deuteranopia */
	{ { 0.367322, 0.860646, -0.227968 },
	  { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
	/* no blue: tritanopia */
	{ { 1.255528, -0.076749, -0.178779 },
	  { -0.078411, 0.930809, 0.147602 },
	  { 0.004733, 0.691367, 0.303900 } },
};

static double linear(unsigned c)
{
	double v = c / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static void lab_of(const char *color, const double eye[3][3], double lab[3])
{
	unsigned long n = strtoul(color + 1, NULL, 16);
	double rgb[3] = { linear(n >> 16 & 255), linear(n >> 8 & 255),
			  linear(n & 255) };
	double s[3], x, y, z;

	for (int i = 0; i < 3; i++)
		s[i] = fmin(1, fmax(0, eye[i][0] * rgb[0] + eye[i][1] * rgb[1]
				       + eye[i][2] * rgb[2]));
	x = lab_curve((0.4124 * s[0] + 0.3576 * s[1] + 0.1805 * s[2]) / 0.95047);
	y = lab_curve(0.2126 * s[0] + 0.7152 * s[1] + 0.0722 * s[2]);
	z = lab_curve((0.0193 * s[0] + 0.1192 * s[1] + 0.9505 * s[2]) / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

static double distance(const char *a, const char *b, const double eye[3][3])
{
	double x[3], y[3];

	lab_of(a, eye, x);
	lab_of(b, eye, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2)
		    + pow(x[2] - y[2], 2));
}

static void test_colors_apart(void **state)
{
	(void) state;
	for (size_t e = 0; e < sizeof(eyes) / sizeof(eyes[0]); e++) {
		for (size_t i = 0; i < PLAIN; i++) {
			const char *color = svg_color(i);

			assert_int_equal(strlen(color), 7);
			assert_true(distance(color, "#ffffff", eyes[e])
				    >= APART);
			for (size_t j = 0; j < i; j++)
				assert_true(distance(color, svg_color(j),
						     eyes[e]) >= APART);
		}
	}
}

/* Twenty paints, no two the same; the second ten are patterns, which the file
 * defines */
static void test_paints_differ(void **state)
{
	char *text = NULL, id[32];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void) state;
	svg_begin(f, 10, 10);
	svg_end(f);
	fclose(f);
	for (size_t i = 0; i < ALL; i++) {
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(svg_color(i), svg_color(j));
		if (i < PLAIN)
			continue;
		snprintf(id, sizeof(id), "id=\"%.*s\"",
			 (int) strcspn(svg_color(i) + 5, ")"), svg_color(i) + 5);
		assert_non_null(strstr(text, id));
	}
	free(text);
}

/* Text of a trace or a file name is no markup. */
static void test_text_is_text(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void) state;
	svg_text(f, 1, 2, "start", "<script>&\"\x01");
	fclose(f);
	assert_null(strstr(text, "<script"));
	assert_non_null(strstr(text, "&lt;script>&amp;\""));
	assert_null(strchr(text, 1));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_colors_apart),
		cmocka_unit_test(test_paints_differ),
		cmocka_unit_test(test_text_is_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
