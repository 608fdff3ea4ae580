/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fingerprint.h - has a job been changed?
\*****************************************************************************/
#ifndef COHORT_MATCH_FINGERPRINT_H
#define COHORT_MATCH_FINGERPRINT_H

#include "compat/slurm_compat.h"

#include "lib/hash.h"

static inline uint64_t fingerprint_mix(uint64_t hash, uint64_t value)
{
	hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
	return hash * 0xff51afd7ed558ccdull;
}

/* NULL counts as "" */
static inline uint64_t fingerprint_mix_text(uint64_t hash, const char *s)
{
	return fingerprint_mix(s ? hash_bytes(hash, s, strlen(s)) : hash, 0xff);
}

/* A hash of what the user asks for; the records of an array's tasks agree */
extern uint64_t fingerprint_of_request(job_record_t *job_ptr);
/* A hash of everything that request_of() and the queue depend on, and of the time limit: an
 * estimate of the start depends on that */
extern uint64_t fingerprint_of_demand(job_record_t *job_ptr);

#endif /* COHORT_MATCH_FINGERPRINT_H */
