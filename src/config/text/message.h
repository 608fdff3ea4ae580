/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - to whom a report tells what is wrong with a file
 */
#ifndef COHORT_MESSAGE_H
#define COHORT_MESSAGE_H

#include <stdbool.h>

/* One message, complete, without newline: "FILE:LINE: PATH: what is wrong".
 * A warning's text starts with "warning: " after the line. The message is the
 * caller's and valid during the call; arg is what came with the function. */
typedef void (*conf_report_f)(void *arg, bool warning, const char *message);

#endif /* COHORT_MESSAGE_H */
