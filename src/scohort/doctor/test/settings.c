/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test settings.c - slurm.conf, as slurmctld uses it
 */
#include "patient.h"

#define NO_QUEUES "clusterQueues: []\n"

struct row {
	const char *settings, *want;
};

static void rows_check(void (*look)(struct doctor *d), const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		look_says(look, NO_QUEUES, rows[i].settings, rows[i].want);
}

/* slurm.conf of this host has that text. */
static void conf_write(const char *text)
{
	FILE *file = fopen(tests_path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	setenv("SLURM_CONF", tests_path, 1);
}

static void plugins(void **state)
{
	struct doctor *d = patient_make(NO_QUEUES, "");

	conf_write("PreemptType=preempt/cohort\n");
	patient_says(d, look_plugins, "warning PreemptType: slurmctld runs without slurm-cohort "
		     "(preempt/none), and slurm.conf here has it: restart slurmctld\n");
	conf_write("#PreemptType=preempt/cohort\n");
	patient_says(d, look_plugins, "note PreemptType: slurmctld runs without slurm-cohort "
		     "(preempt/none): to switch it on, set PluginDir, PreemptType=preempt/cohort "
		     "and PreemptMode=REQUEUE in slurm.conf, and restart slurmctld\n");
	*d->controller.preempt_type = '\0';
	patient_says(d, look_plugins, "note PreemptType: slurmctld runs without slurm-cohort "
		     "(preempt/none): to switch it on, set PluginDir, PreemptType=preempt/cohort "
		     "and PreemptMode=REQUEUE in slurm.conf, and restart slurmctld\n");
	d->loaded = true;
	patient_says(d, look_plugins, "");
	patient_free(d);
}

static void file_that_differs(void **state)
{
	static const char settings[] = "PluginDir               = /a:/b\n"
				       "SchedulerParameters     = defer\n";

	conf_write("PluginDir=/b\nSchedulerParameters=defer,bf_continue\n");
	look_says(look_slurm_conf, NO_QUEUES, settings,
		  "warning PluginDir: slurm.conf here has \"/b\", and slurmctld uses \"/a:/b\": "
		  "restart slurmctld\n"
		  "warning SchedulerParameters: slurm.conf here has \"defer,bf_continue\", and "
		  "slurmctld uses \"defer\": run scontrol reconfigure\n");
	conf_write("PluginDir=/a:/b\nSchedulerParameters=defer\n");
	look_says(look_slurm_conf, NO_QUEUES, settings, "");
	/* not said here, or in a file that is not there */
	conf_write("ClusterName=c\n");
	look_says(look_slurm_conf, NO_QUEUES, settings, "");
	conf_write("PluginDir=/b\nInclude /nowhere/more.conf\n");
	look_says(look_slurm_conf, NO_QUEUES, settings, "");
}

#define CANT " can't work with quota, and " \
	"slurmctld does not start again: set PreemptMode=REQUEUE or CANCEL\n"

#define LOST "warning JobRequeue: is 0: victims are cancelled, and not requeued, unless they " \
	"were submitted with --requeue. Set JobRequeue=1\n"

static void preempt_mode(void **state)
{
	static const struct {
		const char *settings, *before, *loaded;
	} cases[] = {
		{ "PreemptMode             = OFF\n", "", "error PreemptMode: OFF" CANT },
		{ "PreemptMode             = GANG,SUSPEND\n", "",
		  "error PreemptMode: GANG,SUSPEND" CANT },
		{ "PreemptMode             = GANG,REQUEUE\n", "",
		  "error PreemptMode: GANG,REQUEUE" CANT },
		{ "PreemptMode             = REQUEUE\nJobRequeue  = 1\n", "", "" },
		{ "PreemptMode             = WITHIN,CANCEL\n", "", "" },
		{ "PreemptModes            = OFF\nPreemptType = PreemptMode = OFF\n", "", "" },
		{ "JobRequeue = 0\nPreemptMode = REQUEUE\n", LOST, LOST },
		{ "JobRequeue = 0\nPreemptMode = CANCEL\n", LOST, "" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doctor *d = patient_make(NO_QUEUES, cases[i].settings);

		patient_says(d, look_preempt_mode, cases[i].before);
		d->loaded = true;
		patient_says(d, look_preempt_mode, cases[i].loaded);
		patient_free(d);
	}
}

static void single_settings(void **state)
{
	static const struct row rows[] = {
		{ "SelectType              = select/linear\n",
		  "error SelectType: is select/linear: with slurm-cohort slurmctld does not start. "
		  "Set SelectType=select/cons_tres\n" },
		{ "PreemptExemptTime       = 00:10:00\n",
		  "note PreemptExemptTime: is 00:10:00: running jobs are protected for that long, "
		  "whatever min-runtimes of cohort.yaml say, and owners wait\n" },
		{ "SchedulerType           = sched/builtin\n",
		  "warning SchedulerType: is sched/builtin: heterogeneous jobs never start, and "
		  "plannedJobs has no effect. Set SchedulerType=sched/backfill\n" },
		{ "SelectType              = select/cons_tres\n"
		  "SelectTypeParameters    = CR_CORE\n"
		  "PreemptExemptTime       = 00:00:00\n"
		  "SchedulerType           = sched/backfill\n", "" },
		{ "PreemptExemptTime       = NONE\nSchedulerType = (null)\n", "" },
		{ "", "" },
	};

	rows_check(look_settings, rows, COUNT(rows));
}

#define LIST "SchedulerParameters     = "
#define OFTEN "scheduling stops "

static void parameters(void **state)
{
	static const struct row rows[] = {
		{ LIST "sched_interval=-1\n", "warning SchedulerParameters: sched_interval=-1: "
		  "Slurm's main scheduler is off, and owners wait for backfill. Remove it\n" },
		{ LIST "bf_interval=-1,defer\n", "warning SchedulerParameters: bf_interval=-1: "
		  "backfill is off: heterogeneous jobs never start, and plannedJobs has no effect. "
		  "Remove it\nnote SchedulerParameters: defer: no job is tried when it is "
		  "submitted: an owner starts or reclaims with the next pass\n" },
		{ LIST "max_rpc_cnt=9\n", "warning SchedulerParameters: max_rpc_cnt=9: " OFTEN
		  "whenever a few clients ask, for owners, too. Slurm recommends 10 or more\n" },
		{ LIST "bf_continue,MAX_RPC_CNT=10,x\n", "note SchedulerParameters: "
		  "max_rpc_cnt=10: " OFTEN "while so many clients ask, for owners, too\n" },
		{ LIST "defer_batch\n", "note SchedulerParameters: defer_batch: no batch job is "
		  "tried when it is submitted: an owner starts or reclaims with the next pass\n" },
		{ LIST "bf_licenses\n", "note SchedulerParameters: bf_licenses: a job that waits "
		  "for quota may block its partition for one pass (doc/limits.md)\n" },
		{ LIST "sched_interval=60,bf_interval=30,max_rpc_cnt=0,bf_one_resv_per_job,"
		  "bf_max_job_test=500\n", "" },
		{ LIST "(null)\n", "" },
		{ "", "" },
	};

	rows_check(look_parameters, rows, COUNT(rows));
}

TESTS_WITH(tests_path_make, tests_path_remove, cmocka_unit_test(plugins),
	   cmocka_unit_test(file_that_differs), cmocka_unit_test(preempt_mode),
	   cmocka_unit_test(single_settings), cmocka_unit_test(parameters))
