/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - what a job asks for as options of sbatch, and a change of it in words and as a
 *	       command
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fit/fit.h"
#include "lib/sat.h"
#include "must.h"
#include "slurm/api.h"

static const struct {
	const char *option, *key;	/* of sbatch, of scontrol update */
} fields[FIT_FIELDS] = {
	[FIT_TIME] = { "--time", "TimeLimit" },
	[FIT_CONSTRAINT] = { "--constraint", "Features" },
	[FIT_PARTITION] = { "--partition", "Partition" },
	[FIT_ACCOUNT] = { "--account", "Account" },
	[FIT_QOS] = { "--qos", "QOS" },
	[FIT_NODES] = { "--nodes", "NumNodes" },
	[FIT_TASKS] = { "--ntasks", "NumTasks" },
	[FIT_CPUS] = { "--cpus-per-task", "CPUsPerTask" },
	[FIT_GPUS] = { "--gpus", "TresPerJob" },
	[FIT_GRES] = { "--gres", "TresPerNode" },
	[FIT_MEM] = { "--mem", "MinMemoryNode" },
	[FIT_MEM_CPU] = { "--mem-per-cpu", "MinMemoryCPU" },
	/* none of these is updated */
	[FIT_NICE] = { "--nice", "" },
	[FIT_THREADS] = { "--threads-per-core", "" },
	[FIT_TASKS_NODE] = { "--ntasks-per-node", "" },
	[FIT_GPUS_TASK] = { "--gpus-per-task", "" },
	[FIT_GPUS_SOCKET] = { "--gpus-per-socket", "" },
	[FIT_CPUS_GPU] = { "--cpus-per-gpu", "" },
	[FIT_MEM_GPU] = { "--mem-per-gpu", "" },
	[FIT_EXCLUSIVE] = { "--exclusive", "" },
	[FIT_RESERVATION] = { "--reservation", "" },
	[FIT_LICENSES] = { "--licenses", "" },
	[FIT_TMP] = { "--tmp", "" },
	[FIT_NODELIST] = { "--nodelist", "" },
	[FIT_EXCLUDE] = { "--exclude", "" },
	[FIT_COMMENT] = { "--comment", "" },	/* it may say preemptibility */
	[FIT_USER] = { "--uid", "" },
};

/* ---- values ---- */

void request_set(struct fit_request *r, enum fit_field field, const char *text)
{
	snprintf(r->value[field], FIT_TEXT, "%s", text ? text : "");
}

/* Where the number begins: "gpu:a100:4" */
static size_t number_at(const char *value)
{
	size_t at = strlen(value);

	while (at && isdigit((unsigned char) value[at - 1]))
		at--;
	return at;
}

int64_t request_number(const struct fit_request *r, enum fit_field field)
{
	return strtoll(r->value[field] + number_at(r->value[field]), NULL, 10);
}

void request_number_set(struct fit_request *r, enum fit_field field, int64_t n)
{
	size_t at = number_at(r->value[field]);

	snprintf(r->value[field] + at, FIT_TEXT - at, "%lld", (long long) n);
}

/* If it was given: it is not 0, and none of Slurm's special numbers */
static void number_take(struct fit_request *r, enum fit_field field, int64_t n)
{
	if (n > 0 && n < NO_VAL && n != (uint16_t) NO_VAL && n != (uint16_t) INFINITE)
		request_number_set(r, field, n);
}

/* ---- of a job ---- */

/* "gres:gpu:a100:4,gres:x:1" without each "gres:", and for options of GPUs without "gpu:". Of
 * tasks 24.11 has "gres/gpu:a100=4". */
static void gres_take(struct fit_request *r, enum fit_field field, const char *list)
{
	size_t skip = field == FIT_GRES ? 5 : 9;
	char *next = r->value[field];

	list = list ? strstr(list, "gres") : NULL;	/* "cpu:2,gres/gpu:1" */
	if (list && (skip == 5 || (!strncmp(list + 5, "gpu", 3) && strspn(list + 8, ":="))))
		request_set(r, field, list + skip);
	for (char *sign = next; (sign = strchr(sign, '=')); )
		*sign = ':';
	while ((next = strstr(next, ",gres")) && strlen(next) > skip)
		memmove(next + 1, next + 1 + skip, strlen(next + skip));
}

static void fixed_take(struct fit_request *r, const slurm_job_info_t *info)
{
	gres_take(r, FIT_GPUS_TASK, info->tres_per_task);
	gres_take(r, FIT_GPUS_SOCKET, info->tres_per_socket);
	gres_take(r, FIT_CPUS_GPU, info->cpus_per_tres);
	gres_take(r, FIT_MEM_GPU, info->mem_per_tres);
	number_take(r, FIT_NICE, (int64_t) info->nice - NICE_OFFSET);
	number_take(r, FIT_THREADS, info->threads_per_core);
	number_take(r, FIT_TASKS_NODE, info->ntasks_per_node);
	number_take(r, FIT_TMP, info->pn_min_tmp_disk);
	request_set(r, FIT_RESERVATION, info->resv_name);
	request_set(r, FIT_LICENSES, info->licenses);
	request_set(r, FIT_NODELIST, info->req_nodes);
	request_set(r, FIT_EXCLUDE, info->exc_nodes);
	request_set(r, FIT_COMMENT, info->comment);
	if (info->shared == JOB_SHARED_NONE || info->shared == JOB_SHARED_USER)
		request_set(r, FIT_EXCLUSIVE, info->shared ? "user" : "exclusive");
	if (!getuid())
		number_take(r, FIT_USER, info->user_id);
}

void fit_job_make(struct fit_job *job, const struct view *v)
{
	const slurm_job_info_t *info = v->info;
	const char *gres = v->tres_per_job ? v->tres_per_job : v->tres_per_node;
	struct fit_request *r = &job->asked;

	memset(job, 0, sizeof(*job));
	request_set(r, FIT_CONSTRAINT, v->features);
	request_set(r, FIT_PARTITION, v->partition);
	request_set(r, FIT_ACCOUNT, v->account);
	request_set(r, FIT_QOS, v->qos);
	gres_take(r, FIT_GPUS, v->tres_per_job);
	gres_take(r, FIT_GRES, v->tres_per_node);
	if (v->time_limit)
		text_duration(r->value[FIT_TIME], FIT_TEXT, v->time_limit);
	/* without a bound the number is slurmctld's own guess */
	number_take(r, FIT_NODES, info->max_nodes ? info->num_nodes : 0);
	number_take(r, FIT_TASKS, max64(1, info->num_tasks));
	number_take(r, FIT_CPUS, info->cpus_per_tres ? 0 : info->cpus_per_task);
	if (!info->mem_per_tres && !info->pn_min_memory)
		request_set(r, FIT_MEM, "0");	/* all of each node */
	number_take(r, info->pn_min_memory & MEM_PER_CPU ? FIT_MEM_CPU : FIT_MEM,
		    info->mem_per_tres ? 0 : (int64_t) (info->pn_min_memory & ~MEM_PER_CPU));
	fixed_take(r, info);
	job->gres = gres && !strncmp(gres, "gres/", 5) ? "gres/" : "gres:";
	job->node_cpus = info->pn_min_cpus;
	/* CPUs and memory go with GPUs, and GPUs with tasks, which an update does not see; srun
	 * starts as many tasks as it was told */
	job->anew = info->cpus_per_tres || info->mem_per_tres || info->tres_per_socket
		    || *r->value[FIT_GPUS_TASK] || !info->batch_flag;
}

char **request_args(const struct fit_request *r, size_t *n)
{
	char **args = must(calloc(FIT_FIELDS + 1, sizeof(*args)));

	*n = 0;
	for (int i = 0; i < FIT_FIELDS; i++) {
		if (*r->value[i])
			args[(*n)++] = must_format("%s=%s", fields[i].option, r->value[i]);
	}
	return args;
}

/* ---- a change ---- */

const char *request_option(enum fit_field field)
{
	return fields[field].option;
}

char *request_words(const struct fit_job *job, const struct fit_request *r, char *buf,
		    size_t size)
{
	*buf = '\0';
	for (int i = 0; i < FIT_FIELDS; i++) {
		const char *was = job->asked.value[i], *is = r->value[i];

		if (strcmp(was, is))
			text_join(buf, size, "%s%s%s%s%s%s", *is ? "" : "no ", fields[i].option,
				  *is ? "=" : "", is, *was ? " instead of " : "", was);
	}
	return buf;
}

/* scontrol takes no limit and no step: "7_[1-13:4%2]" */
char *request_id(const struct view *v, char *buf, size_t size)
{
	unsigned id, first, last, step;
	char *limit;

	view_name(v, buf, size);
	if ((limit = strchr(buf, '%')))
		strcpy(limit, "]");
	if (sscanf(buf, "%u_[%u-%u:%u", &id, &first, &last, &step) == 4 && step) {
		size_t used = (size_t) snprintf(buf, size, "%u_[%u", id, first);

		while (last - first >= step && used < size)
			used += (size_t) snprintf(buf + used, size - used, ",%u", first += step);
		text_append(buf, size, "]");
	}
	return buf;
}

static void change_write(const struct fit_job *job, const struct fit_request *r, int field,
			 char *buf, size_t size)
{
	const char *value = r->value[field];
	/* texts of slurmctld have no quotes */
	const char *quote = strpbrk(value, "*?[]{}()<>|&;!$`~# \"\\") ? "'" : "";

	text_append(buf, size, " %s=%s", fields[field].key, quote);
	if (field == FIT_GPUS || field == FIT_GRES)
		text_append(buf, size, "%s%s", job->gres, field == FIT_GPUS ? "gpu:" : "");
	text_append(buf, size, "%s%s", value, quote);
	if (field == FIT_NODES)
		text_append(buf, size, "-%s", value);	/* the most, too */
}

/* Slurm keeps the number of CPUs beside that of tasks. */
static void cpus_write(const struct fit_job *job, const struct fit_request *r, char *buf,
		       size_t size)
{
	int64_t was = request_number(&job->asked, FIT_CPUS), is = request_number(r, FIT_CPUS);
	int64_t tasks = request_number(r, FIT_TASKS);

	if (was == is && tasks == request_number(&job->asked, FIT_TASKS))
		return;
	text_append(buf, size, " NumCPUs=%lld", (long long) (tasks * max64(1, is)));
	if (was != is && job->node_cpus > 1)
		text_append(buf, size, " MinCPUsNode=%lld",
			    (long long) (job->node_cpus * is / was));
}

char *request_command(const struct fit_job *job, const struct fit_request *r, const char *id,
		      char *buf, size_t size)
{
	const char *quote = strchr(id, '[') ? "'" : "";
	bool anew = false;

	for (int i = FIT_NODES; i < FIT_FIELDS; i++)
		anew |= job->anew && strcmp(job->asked.value[i], r->value[i]);
	if (anew) {
		snprintf(buf, size, "scancel %s%s%s  # then submit it again with ", quote, id,
			 quote);
		request_words(job, r, buf + strlen(buf), size - strlen(buf));
		return buf;
	}
	snprintf(buf, size, "scontrol update JobId=%s%s%s", quote, id, quote);
	for (int i = 0; i < FIT_FIELDS; i++) {
		if (strcmp(job->asked.value[i], r->value[i]))
			change_write(job, r, i, buf, size);
	}
	cpus_write(job, r, buf, size);
	return buf;
}
