/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * patient.h - a made cluster, and what a look says of it
 */
#ifndef SCOHORT_TEST_PATIENT_H
#define SCOHORT_TEST_PATIENT_H

#include "doctor/doctor.h"
#include "test/outside.h"

/* A cohort.yaml with the name "f", and slurm.conf as scontrol shows it. The caller may set more
 * of it; patient_free() frees both, and what was published. */
struct doctor *patient_make(const char *yaml, const char *settings);
void patient_free(struct doctor *d);

/* The look finds these, each "SEVERITY WHERE: MESSAGE\n"; what could not be looked at is
 * "WHY? WHAT\n", and comes last. */
void patient_says(struct doctor *d, void (*look)(struct doctor *d), const char *want);

/* The same of a new one, at once */
void look_says(void (*look)(struct doctor *d), const char *yaml, const char *settings,
	       const char *want);

#endif /* SCOHORT_TEST_PATIENT_H */
