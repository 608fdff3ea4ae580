/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.c - scohort web: the ledger as a live page
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "config.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/controller.h"
#include "web/web.h"

#define DEFAULT_ADDRESS "127.0.0.1:8090"
#define ASK_SECONDS 15
#define ANSWER_SECONDS 60	/* libslurm gives up before */

struct options {
	const char *listen, *db;
	struct cli_list names;
};

static const struct cli_option options[] = {
	{ "listen", 'l', "ADDRESS:PORT", "listen there, not on "
	  DEFAULT_ADDRESS, OPTION(TEXT, listen) },
	{ "db", 0, "FILE", "pages of the past, from this database of scohort "
	  "record", OPTION(TEXT, db) },
	{ "name", 0, "HOST", "answer to this name of a host, too", OPTION(LIST, names) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "Serves quota and usage as web pages, until Ctrl-C. It can "
		 "only be read, and\nshows what scohort status shows.\n",
	.options = options,
};

/* ADDRESS:PORT or [ADDRESS]:PORT, both as numbers: no name is looked up. */
static bool address_read(const char *text, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *) address;
	struct sockaddr_in *four = (struct sockaddr_in *) address;
	const char *colon = strrchr(text, ':');
	size_t n = colon ? (size_t) (colon - text) : 0;
	char host[INET6_ADDRSTRLEN + 2];
	int64_t port;

	memset(address, 0, sizeof(*address));
	if (!n || n >= sizeof(host) || !text_number(colon + 1, &port) || port > UINT16_MAX)
		return false;
	memcpy(host, text, n);
	host[n] = '\0';
	if (*host == '[' && host[n - 1] == ']') {
		host[n - 1] = '\0';
		six->sin6_family = AF_INET6;
		six->sin6_port = htons((uint16_t) port);
		return inet_pton(AF_INET6, host + 1, &six->sin6_addr) == 1;
	}
	four->sin_family = AF_INET;
	four->sin_port = htons((uint16_t) port);
	return inet_pton(AF_INET, host, &four->sin_addr) == 1;
}

/* ---- does slurmctld answer? ---- */

/* In a child */
static int boot_time_print(void)
{
	struct controller controller;
	char err[256];
	int status = controller_open(&controller, err, sizeof(err));

	if (!status)
		printf("%lld\n", (long long) controller.boot_time);
	return status;
}

/* A thread. Pages never wait for it. */
static void *ask_on_and_on(void *arg)
{
	static const char *const args[] = { CHILD_BOOT, NULL };
	struct slurmctld state = { 0 };

	for (;;) {
		size_t size;
		char *text;

		if (child_run(args, ANSWER_SECONDS, &text, &size)) {
			state = (struct slurmctld) { 0, strtoll(text, NULL, 10) };
			free(text);
		} else if (!state.down_since) {
			state.down_since = time(NULL);
		}
		server_tell(&state);
		sleep(ASK_SECONDS);
	}
	return arg;
}

/* ---- serving ---- */

/* An exit status */
static int serve(const struct server_options *options, const char *listen)
{
	const struct timespec second = { .tv_sec = 1 };
	pthread_t asker;
	sigset_t ends;
	char err[256];
	unsigned port;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);	/* where it is ignored, nobody can wait for a child */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	port = server_start(options, err, sizeof(err));
	if (!port) {
		complain("%s: %s", listen, err);
		return STATUS_FAILED;
	}
	if (pthread_create(&asker, NULL, ask_on_and_on, NULL)) {
		complain("no thread can be started");
		return STATUS_FAILED;
	}
	/* as a browser takes it: "http://127.0.0.1:8090/" */
	printf("http://%.*s:%u/\n", (int) (strrchr(listen, ':') - listen), listen, port);
	fflush(stdout);
	while (sigtimedwait(&ends, NULL, &second) < 0)
		clients_end_late();
	server_stop();
	return STATUS_OK;
}

int cmd_web(int argc, char **argv)
{
	struct options o = { .listen = DEFAULT_ADDRESS };
	struct server_options server = { .db = NULL };
	struct call call;

	if (argc > 1 && !strcmp(argv[1], CHILD_BOOT))
		return child_begin(&argc, &argv) ? boot_time_print() : STATUS_USAGE;
#ifdef HAVE_SQLITE
	if (argc > 1 && !strcmp(argv[1], CHILD_PAST))
		return child_begin(&argc, &argv) ? past_print(argc, argv) : STATUS_USAGE;
#endif
	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
#ifndef HAVE_SQLITE
	if (o.db) {
		complain("--db is not built in: libsqlite3 was not there when scohort was built");
		return STATUS_FAILED;
	}
#endif
	server = (struct server_options) { .names = o.names.of, .nnames = o.names.n,
					   .db = o.db };
	if (!address_read(o.listen, &server.address)) {
		complain("--listen: \"%s\" is not ADDRESS:PORT, such as "
			 DEFAULT_ADDRESS " or [::1]:8090", o.listen);
		return STATUS_USAGE;
	}
	return serve(&server, o.listen);
}
