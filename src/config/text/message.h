/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - the function that takes the messages about a file
 */
#ifndef COHORT_MESSAGE_H
#define COHORT_MESSAGE_H

#include <stdbool.h>

/* One complete message, without newline: "FILE:LINE: PATH: what is wrong". The
 * text of a warning starts with "warning: " after the line. The message is the
 * caller's and valid during the call; arg is what the caller was given with the
 * function. */
typedef void (*conf_report_f)(void *arg, bool warning, const char *message);

#endif /* COHORT_MESSAGE_H */
