/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eval.h - engine-lab eval: scenarios answered, or compared with what they expect
 */
#ifndef SCOHORT_EVAL_H
#define SCOHORT_EVAL_H

/* The command: prints, and returns the exit status (exit_status.h). */
int cmd_eval(int argc, char **argv);

#endif /* SCOHORT_EVAL_H */
