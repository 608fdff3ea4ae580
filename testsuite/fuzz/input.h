/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - what the fuzz targets share
 *
 * A target is one function that takes any bytes. It returns; what is wrong is
 * told by the sanitizers, or by require().
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that must hold, with NDEBUG too */
#define require(what) ((what) ? (void) 0 : abort())

/* The path of a file with these bytes, valid until the next call */
const char *input_file(const uint8_t *data, size_t size);

/* The input as n strings, cut at NULs; those that are not there are "". Freed
 * by the caller. */
char **input_texts(const uint8_t *data, size_t size, size_t n);
void input_texts_free(char **texts, size_t n);

/* A conf_report_f for cohort.yaml: messages are whole, printable lines */
void input_report(void *arg, bool warning, const char *message);

#endif /* FUZZ_INPUT_H */
