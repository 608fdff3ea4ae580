/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fingerprint.h - has a job been changed?
\*****************************************************************************/
#ifndef COHORT_MATCH_FINGERPRINT_H
#define COHORT_MATCH_FINGERPRINT_H

#include "compat/slurm_compat.h"

#include "lib/hash.h"

/* NULL counts as "" */
static inline uint64_t fingerprint_mix_text(uint64_t hash, const char *s)
{
	return hash_u64(s ? hash_bytes(hash, s, strlen(s)) : hash, 0xff);
}

/* A hash of what the user asks for; the records of an array's tasks agree */
extern uint64_t fingerprint_of_request(job_record_t *job_ptr);
/* A hash of everything that request_of() and the queue depend on, and of the time limit: an
 * estimate of the start depends on that */
extern uint64_t fingerprint_of_demand(job_record_t *job_ptr);

#endif /* COHORT_MATCH_FINGERPRINT_H */
