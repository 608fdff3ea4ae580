/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * temporary.h - quotas for a time, in words
 */
#ifndef SCOHORT_TEMPORARY_H
#define SCOHORT_TEMPORARY_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

/* "vision has 24 gres/gpu of flavor a100 until 2026-12-15T00:00:00, then 16."
 * or "vision gets 24 ... from ... until ...; it has 16 otherwise." quota: a
 * published quota that has "temporary". Fills the buffer and returns it. */
char *temporary_text(char *buf, size_t size, const char *name,
		     struct json_object *quota, int64_t now);

#endif /* SCOHORT_TEMPORARY_H */
