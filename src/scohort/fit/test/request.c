/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test request.c - a job as options of sbatch; a change in words, and as a command
 */
#include "fit/fit.h"
#include "slurm/api.h"
#include "test/outside.h"

/* A batch job */
#define JOB(...) (slurm_job_info_t) \
	{ .shared = JOB_SHARED_OK, .batch_flag = 1, __VA_ARGS__ }

static struct fit_job job;

static void make(slurm_job_info_t *info, struct view v)
{
	v.info = info;
	fit_job_make(&job, &v);
}

static void args_are(const char *expected)
{
	char text[4096] = "";
	size_t n;
	char **args = request_args(&job.asked, &n);

	assert_null(args[n]);
	for (size_t i = 0; i < n; i++) {
		text_append(text, sizeof(text), "%s%s", i ? " " : "", args[i]);
		free(args[i]);
	}
	free(args);
	assert_string_equal(text, expected);
}

static void test_args(void **state)
{
	slurm_job_info_t info = JOB(.num_tasks = 1, .num_nodes = 3, .cpus_per_task = 1,
				    .ntasks_per_node = NO_VAL16);

	/* a guess of slurmctld is no request, and neither are its special numbers */
	make(&info, (struct view) { .id = 1 });
	args_are("--ntasks=1 --cpus-per-task=1 --mem=0");
	info = JOB(.cpus_per_task = NO_VAL16, .ntasks_per_node = INFINITE16,
		   .threads_per_core = NO_VAL16, .nice = NICE_OFFSET + 5);
	make(&info, (struct view) { .id = 1 });
	args_are("--ntasks=1 --mem=0 --nice=5");
	info = (slurm_job_info_t) {
		.num_tasks = 4, .num_nodes = 2, .max_nodes = 2, .cpus_per_task = 2,
		.ntasks_per_node = 2, .pn_min_memory = 1000 | MEM_PER_CPU,
		.threads_per_core = 1, .pn_min_tmp_disk = 9, .nice = NICE_OFFSET - 5, .exc_nodes = "n[3-4]",
		.req_nodes = "n1", .resv_name = "r", .licenses = "m:1",
		.comment = "cohort:preemptibility=x", .shared = JOB_SHARED_NONE,
	};
	make(&info, (struct view) {
		.account = "a", .partition = "p,q", .qos = "o", .features = "x&y",
		.time_limit = 5400, .tres_per_node = "gres:gpu:a100:2,gres:shard:1",
	});
	args_are("--time=1:30:00 --constraint=x&y --partition=p,q --account=a --qos=o --nodes=2 "
		 "--ntasks=4 --cpus-per-task=2 --gres=gpu:a100:2,shard:1 --mem-per-cpu=1000 "
		 "--threads-per-core=1 --ntasks-per-node=2 --exclusive=exclusive --reservation=r "
		 "--licenses=m:1 --tmp=9 --nodelist=n1 --exclude=n[3-4] --comment=cohort:preemptibility=x");
	/* sbatch takes CPUs and memory of each GPU or of each task, not both */
	info = JOB(.cpus_per_tres = "gres/gpu:3", .mem_per_tres = "gres/gpu:500",
		   .pn_min_memory = 100, .tres_per_task = "cpu:2,gres/gpu:1");
	make(&info, (struct view) { .tres_per_job = "gres/gpu:4" });
	args_are("--ntasks=1 --gpus=4 --gpus-per-task=1 --cpus-per-gpu=3 --mem-per-gpu=500");
	/* from Slurm 24.11 on */
	info = JOB(.tres_per_task = "cpu=2,gres/gpu:a100=1");
	make(&info, (struct view) { .id = 1 });
	args_are("--ntasks=1 --mem=0 --gpus-per-task=a100:1");
	assert_true(job.anew);
	(void) state;
}

static void change_is(const struct fit_request *r, const char *id, const char *words,
		      const char *command)
{
	char buf[1024];

	assert_string_equal(request_words(&job, r, buf, sizeof(buf)), words);
	assert_string_equal(request_command(&job, r, id, buf, sizeof(buf)), command);
}

static void test_sizes(void **state)
{
	slurm_job_info_t info = JOB(.num_tasks = 8, .num_nodes = 4, .max_nodes = 4,
				    .cpus_per_task = 2, .pn_min_cpus = 4);
	struct fit_request r;

	make(&info, (struct view) { .tres_per_node = "gres:gpu:a100:2" });
	r = job.asked;
	request_number_set(&r, FIT_NODES, 2);
	request_number_set(&r, FIT_TASKS, 4);
	change_is(&r, "7", "--nodes=2 instead of 4, --ntasks=4 instead of 8",
		  "scontrol update JobId=7 NumNodes=2-2 NumTasks=4 NumCPUs=8");
	r = job.asked;
	request_number_set(&r, FIT_CPUS, 1);
	change_is(&r, "7", "--cpus-per-task=1 instead of 2",
		  "scontrol update JobId=7 CPUsPerTask=1 NumCPUs=8 MinCPUsNode=2");
	r = job.asked;
	request_number_set(&r, FIT_GRES, 1);
	change_is(&r, "7_[1-3,5]", "--gres=gpu:a100:1 instead of gpu:a100:2",
		  "scontrol update JobId='7_[1-3,5]' TresPerNode=gres:gpu:a100:1");
	/* from Slurm 23.11 on; and memory of a node */
	info = JOB(.pn_min_memory = 4000);
	make(&info, (struct view) { .tres_per_job = "gres/gpu:a100:4" });
	r = job.asked;
	request_number_set(&r, FIT_GPUS, 3);
	request_number_set(&r, FIT_MEM, 2000);
	change_is(&r, "7", "--gpus=a100:3 instead of a100:4, --mem=2000 instead of 4000",
		  "scontrol update JobId=7 TresPerJob=gres/gpu:a100:3 MinMemoryNode=2000");
	/* CPUs hang on the GPUs: an update would leave them */
	info = JOB(.cpus_per_tres = "gres:gpu:3");
	make(&info, (struct view) { .tres_per_job = "gres:gpu:4" });
	r = job.asked;
	request_number_set(&r, FIT_GPUS, 3);
	change_is(&r, "7", "--gpus=3 instead of 4",
		  "scancel 7  # then submit it again with --gpus=3 instead of 4");
	r = job.asked;
	request_set(&r, FIT_TIME, "29:00");
	change_is(&r, "7", "--time=29:00", "scontrol update JobId=7 TimeLimit=29:00");
	info = JOB(.num_tasks = 4, .tres_per_task = "gres:gpu:1");
	make(&info, (struct view) { .id = 7 });
	r = job.asked;
	request_number_set(&r, FIT_TASKS, 2);
	change_is(&r, "7", "--ntasks=2 instead of 4",
		  "scancel 7  # then submit it again with --ntasks=2 instead of 4");
	/* srun starts its tasks itself */
	info = (slurm_job_info_t) { .num_tasks = 4, .shared = JOB_SHARED_OK };
	make(&info, (struct view) { .id = 7 });
	r = job.asked;
	request_number_set(&r, FIT_TASKS, 2);
	change_is(&r, "7", "--ntasks=2 instead of 4",
		  "scancel 7  # then submit it again with --ntasks=2 instead of 4");
	(void) state;
}

static void test_ids(void **state)
{
	static const struct {
		const char *tasks, *id;
	} cases[] = {
		{ "1,3,5-9", "7_[1,3,5-9]" }, { "1-9%2", "7_[1-9]" }, { "0-12:4", "7_[0,4,8,12]" },
		{ "3-15:6%2", "7_[3,9,15]" }, { "4", "7_[4]" },
	};
	char buf[64];

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct view v = { .array_id = 7, .task_id = UINT32_MAX,
				  .array_tasks = cases[i].tasks };

		assert_string_equal(request_id(&v, buf, sizeof(buf)), cases[i].id);
	}
	assert_string_equal(request_id(&(struct view) { .id = 8 }, buf, sizeof(buf)), "8");
	(void) state;
}

static void test_texts(void **state)
{
	slurm_job_info_t info = JOB(.num_tasks = 1);
	struct fit_request r;

	make(&info, (struct view) { .features = "x&y", .partition = "p" });
	r = job.asked;
	request_set(&r, FIT_CONSTRAINT, "");
	change_is(&r, "7", "no --constraint instead of x&y", "scontrol update JobId=7 Features=");
	r = job.asked;
	request_set(&r, FIT_TIME, "29:00");
	request_set(&r, FIT_PARTITION, "q");
	request_set(&r, FIT_ACCOUNT, "a b");
	request_set(&r, FIT_QOS, "o");
	change_is(&r, "7", "--time=29:00, --partition=q instead of p, --account=a b, --qos=o",
		  "scontrol update JobId=7 TimeLimit=29:00 Partition=q Account='a b' QOS=o");
	/* no job is larger than the text that it has room for */
	memset(r.value[FIT_GRES], 'x', FIT_TEXT - 1);
	request_number_set(&r, FIT_GRES, 1);
	assert_int_equal(strlen(r.value[FIT_GRES]), FIT_TEXT - 1);
	(void) state;
}

TESTS(cmocka_unit_test(test_args), cmocka_unit_test(test_sizes), cmocka_unit_test(test_ids),
      cmocka_unit_test(test_texts))
