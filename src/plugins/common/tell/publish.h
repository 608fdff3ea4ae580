/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.h - what only the plugin knows, in a file that all users may read
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_H
#define COHORT_TELL_PUBLISH_H

extern void publish_start(void);
/* A user waits for the file: write it within a second. */
extern void publish_soon(void);

#endif /* COHORT_TELL_PUBLISH_H */
