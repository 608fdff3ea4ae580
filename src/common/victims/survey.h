/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.h - what a search has to know of holdings that are protected
 */
#ifndef COHORT_SURVEY_H
#define COHORT_SURVEY_H

#include "victims/candidate.h"

/* Takes note of those in the queue of the stream that only time, or the number
 * of evictions, keeps from being candidates: see struct passed_over. Looks only
 * at those that may change what is known already. */
void protected_survey(struct search *s, const struct stream *st);

#endif /* COHORT_SURVEY_H */
