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
#include "web/readers.h"
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

/* Tells the server what slurmctld answers, until a signal. NULL; or which child is
 * gone: without the one pages can't warn any more, without the others there is no past. */
static const char *serve(struct server *server, int pipe,
			 struct readers *readers, const sigset_t *ends)
{
	const struct timespec second = { .tv_sec = 1 };
	struct answer answer;

	while (sigtimedwait(ends, NULL, &second) < 0) {
		int news = asker_next(pipe, &answer);

		server_end_late(server);
		if (news > 0)
			server_tell(server, &answer);
		else if (news < 0)
			return "asks slurmctld";
		if (readers && readers_gone(readers))
			return "reads the database";
	}
	return NULL;
}

/* With the children that it needs. An exit status */
static int serve_with(struct server_options *options, int pipe,
		      const char *listen, const char *command)
{
	const char *gone = NULL;
	struct server *server;
	sigset_t ends;
	char err[256];

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	server = server_start(options, err, sizeof(err));
	if (!server) {
		stderr_line("%s: %s: %s", command, listen, err);
		return STATUS_FAILED;
	}
	address_tell(listen, server_port(server));
	gone = serve(server, pipe, options->readers, &ends);
	/* nobody is to wait for them when the server stops */
	if (options->readers)
		readers_end(options->readers);
	server_stop(server);
	if (!gone)
		return STATUS_OK;
	stderr_line("%s: the process that %s has ended", command, gone);
	return STATUS_FAILED;
}

static int serve_at(const struct options *o, const char *command)
{
	struct server_options server_options = { .names = o->names.of,
						 .nnames = o->names.n,
						 .db = o->db };
	int pipe, status = STATUS_FAILED;
	pid_t asker = -1;

	if (!address_read(o->listen, &server_options.address)) {
		stderr_line("%s: --listen: \"%s\" is not ADDRESS:PORT, such as "
			    DEFAULT_ADDRESS " or [::1]:8090", command,
			    o->listen);
		return STATUS_USAGE;
	}
	signal(SIGPIPE, SIG_IGN);
	pipe = asker_start(&asker);
	if (pipe >= 0 && o->db)
		server_options.readers = readers_start(o->db);
	if (pipe < 0 || (o->db && !server_options.readers))
		stderr_line("%s: %s", command, strerror(errno));
	else
		status = serve_with(&server_options, pipe, o->listen, command);
	readers_free(server_options.readers);
	if (pipe >= 0) {
		kill(asker, SIGKILL);
		waitpid(asker, NULL, 0);
		close(pipe);
	}
	return status;
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
