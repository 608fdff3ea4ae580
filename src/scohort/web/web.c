/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.c - scohort web: the ledger as a live page
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "config.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "web/asker.h"
#include "web/server.h"
#include "web/web.h"

#define DEFAULT_ADDRESS "127.0.0.1:8090"

struct options {
	const char *listen, *db;
	struct cli_list names;
};

static const struct cli_option options[] = {
	{ "listen", 'l', "ADDRESS:PORT", "listen there, not on "
	  DEFAULT_ADDRESS, CLI_TEXT, offsetof(struct options, listen), 0 },
	{ "db", 0, "FILE", "pages of the past, from this database of scohort "
	  "record", CLI_TEXT, offsetof(struct options, db), 0 },
	{ "name", 0, "HOST", "answer to this name of a host, too", CLI_LIST,
	  offsetof(struct options, names), 0 },
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
	if (!n || n >= sizeof(host) || !text_number(colon + 1, &port)
	    || port > UINT16_MAX)
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

/* The address as a browser takes it: "http://127.0.0.1:8090/" */
static void address_tell(const char *listen, unsigned port)
{
	printf("http://%.*s:%u/\n", (int) (strrchr(listen, ':') - listen),
	       listen, port);
	fflush(stdout);
}

/* Tells the server what slurmctld answers, until a signal: true. False: the
 * child that asks is gone, so that pages can't warn any more. */
static bool serve(struct server *server, int pipe, const sigset_t *ends)
{
	const struct timespec second = { .tv_sec = 1 };
	struct answer answer;
	int news = 0;

	while (news >= 0 && sigtimedwait(ends, NULL, &second) < 0) {
		news = asker_next(pipe, &answer);
		if (news > 0)
			server_tell(server, &answer);
	}
	return news >= 0;
}

static int serve_at(const struct options *o, const char *command)
{
	struct server_options server_options = { .names = o->names.of,
						 .nnames = o->names.n,
						 .db = o->db };
	struct server *server;
	bool served = false;
	pid_t asker = -1;
	sigset_t ends;
	char err[256];
	int pipe;

	if (!address_read(o->listen, &server_options.address)) {
		stderr_line("%s: --listen: \"%s\" is not ADDRESS:PORT, such as "
			    DEFAULT_ADDRESS " or [::1]:8090", command,
			    o->listen);
		return STATUS_USAGE;
	}
	signal(SIGPIPE, SIG_IGN);
	pipe = asker_start(&asker);
	if (pipe < 0) {
		stderr_line("%s: %s", command, strerror(errno));
		return STATUS_FAILED;
	}
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	server = server_start(&server_options, err, sizeof(err));
	if (server) {
		address_tell(o->listen, server_port(server));
		served = serve(server, pipe, &ends);
		server_stop(server);
		if (!served)
			stderr_line("%s: the process that asks slurmctld has "
				    "ended", command);
	} else {
		stderr_line("%s: %s: %s", command, o->listen, err);
	}
	kill(asker, SIGKILL);
	waitpid(asker, NULL, 0);
	close(pipe);
	return served ? STATUS_OK : STATUS_FAILED;
}

int cmd_web(int argc, char **argv)
{
	struct options o = { .listen = DEFAULT_ADDRESS };
	struct call call;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
#ifndef HAVE_SQLITE
	if (o.db) {
		stderr_line("%s: --db is not built in: libsqlite3 was not there "
			    "when scohort was built", argv[0]);
		return STATUS_FAILED;
	}
#endif
	return serve_at(&o, argv[0]);
}
