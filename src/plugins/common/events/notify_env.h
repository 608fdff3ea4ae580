/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify_env.h - an event as the environment of a program
\*****************************************************************************/
#ifndef COHORT_EVENTS_NOTIFY_ENV_H
#define COHORT_EVENTS_NOTIFY_ENV_H

#include <json-c/json.h>

struct notify_env;

/* The variables of cohort.yaml(5), notify. What is no visible character is shown
 * as \xNN in them. mail_prog, slurm_conf: of slurm.conf. The caller's, to be freed
 * by notify_env_free() */
extern struct notify_env *notify_env_create(struct json_object *event,
					    const char *mail_prog,
					    const char *slurm_conf);
extern void notify_env_free(struct notify_env *env);
/* For exec; it ends with NULL */
extern char **notify_env_list(struct notify_env *env);

#endif /* COHORT_EVENTS_NOTIFY_ENV_H */
