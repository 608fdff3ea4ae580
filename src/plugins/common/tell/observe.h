/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  observe.h - enforcement: observe, what would have been done
\*****************************************************************************/
#ifndef COHORT_TELL_OBSERVE_H
#define COHORT_TELL_OBSERVE_H

#include "state/job.h"

/* Log what would be done with this waiting entry, if that is news. in_pass: jobs that the
 * plan lets wait may start next; then only a first eviction is logged. */
extern void observe_judge(struct entry *entry, bool in_pass);

#endif /* COHORT_TELL_OBSERVE_H */
