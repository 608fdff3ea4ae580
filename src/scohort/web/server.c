/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server.c - HTTP, for reading only
 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "web/web.h"
#ifdef HAVE_SQLITE
#include "past/past.h"
#endif

/* What clients of one address may cost, each silent for so long, with so much memory beside
 * what is sent */
#define CONNECTIONS_OF_ONE 32
#define SILENT_SECONDS 4	/* live.js asks every five: a page that is open holds none */
#define CONNECTION_BYTES 16384

#define TAG_SIZE 128

#define CLIENTS_MAX 64		/* at once */

/* Seconds in which a request has to come, and its answer to go, whatever trickles */
#define CLIENTS_REQUEST 8
#define CLIENTS_ANSWER 60

static struct {
	struct server_options options;
	struct MHD_Daemon *daemon;
	int64_t started;
	pthread_mutex_t lock;	/* of what is below */
	uint64_t changes;	/* how often slurmctld's state has changed */
	struct site site;
} server = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- connections, and how long each may take ----
 *
 * libmicrohttpd ends a connection that is silent. One on which a byte comes or goes now and
 * then is ended here. */

static pthread_mutex_t clients_lock = PTHREAD_MUTEX_INITIALIZER;
static struct client {
	bool used;
	int fd;
	time_t until;		/* by the monotonic clock; 0: any time */
} clients[CLIENTS_MAX];		/* under the lock */

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static struct client *client_add(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	for (int i = 0; info && i < CLIENTS_MAX; i++) {
		if (clients[i].used)
			continue;
		clients[i] = (struct client) { true, info->connect_fd, now() + CLIENTS_REQUEST };
		return &clients[i];
	}
	return NULL;
}

static void clients_notify(void *arg, struct MHD_Connection *connection, void **client,
			   enum MHD_ConnectionNotificationCode code)
{
	(void) arg;
	pthread_mutex_lock(&clients_lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*client = client_add(connection);
	else if (*client)
		((struct client *) *client)->used = false;
	pthread_mutex_unlock(&clients_lock);
}

/* The connection has so many seconds from now; 0: any time. */
static void clients_allow(struct MHD_Connection *connection, int seconds)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (!client)
		return;
	pthread_mutex_lock(&clients_lock);
	client->until = seconds ? now() + seconds : 0;
	pthread_mutex_unlock(&clients_lock);
}

/* The answer has gone: another request may come. */
static void clients_completed(void *arg, struct MHD_Connection *connection, void **state,
			      enum MHD_RequestTerminationCode code)
{
	(void) arg;
	(void) state;
	(void) code;
	clients_allow(connection, CLIENTS_REQUEST);
}

/* libmicrohttpd closes a socket after clients_notify(): it is still the client's. */
void clients_end_late(void)
{
	pthread_mutex_lock(&clients_lock);
	for (int i = 0; i < CLIENTS_MAX; i++) {
		const struct client *c = &clients[i];

		if (c->used && c->until && now() >= c->until)
			shutdown(c->fd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&clients_lock);
}

/* ---- who asks ---- */

/* Host without its port; false: it is too long for a name */
static bool host_copy(char *buf, size_t size, const char *host)
{
	const char *end = strchr(host, *host == '[' ? ']' : ':');
	size_t n;

	if (*host == '[')
		host++;
	n = end ? (size_t) (end - host) : strlen(host);
	if (!n || n >= size)
		return false;
	memcpy(buf, host, n);
	buf[n] = '\0';
	return true;
}

static bool host_is_ours(const char *host)
{
	struct in6_addr address;
	char name[256];

	if (!host)
		return true;	/* HTTP/1.0 */
	if (!host_copy(name, sizeof(name), host))
		return false;
	if (inet_pton(AF_INET, name, &address) == 1
	    || inet_pton(AF_INET6, name, &address) == 1 || !strcasecmp(name, "localhost"))
		return true;
	for (size_t i = 0; i < server.options.nnames; i++)
		if (!strcasecmp(name, server.options.names[i]))
			return true;
	return false;
}

/* The browser has this version of the page. */
static bool is_known(struct MHD_Connection *connection, const char *tag)
{
	const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							MHD_HTTP_HEADER_IF_NONE_MATCH);

	return known && !strcmp(known, tag);
}

/* ---- what is sent ---- */

static const char *const headers[][2] = {
	{ "Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; "
	  "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
	  "frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cache-Control", "no-cache" },
};

/* Takes in the reply's text. */
static enum MHD_Result reply_send(struct MHD_Connection *connection,
				  const struct reply *reply, const char *tag)
{
	struct MHD_Response *response = reply->status
		? MHD_create_response_from_buffer(
			reply->size, reply->text, reply->fixed
			? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE) : NULL;
	enum MHD_Result result;

	if (!response) {
		if (!reply->fixed)
			free(reply->text);
		return MHD_NO;
	}
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	if (reply->type)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
	if (reply->status == MHD_HTTP_OK || reply->status == MHD_HTTP_NOT_MODIFIED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, tag);
	if (reply->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = MHD_queue_response(connection, reply->status, response);
	MHD_destroy_response(response);
	return result;
}

static const struct reply not_modified = {
	.status = MHD_HTTP_NOT_MODIFIED, .text = (char *) "", .fixed = true,
};

#ifdef HAVE_SQLITE
static const char *query_part(struct MHD_Connection *connection, const char *key)
{
	return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, key);
}

/* Another number when the file has changed, as far as that can be seen */
static unsigned long long file_state(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	return (unsigned long long) st.st_mtim.tv_sec * 1000000007u
	       + (unsigned long long) st.st_mtim.tv_nsec * 31u
	       + (unsigned long long) st.st_ino * 17u + (unsigned long long) st.st_size;
}

/* A page of the past is another one when the database is, and each minute */
static struct reply past_reply(struct MHD_Connection *connection, const char *url, char *tag)
{
	const struct past_query query = {
		.range = query_part(connection, "range"),
		.from = query_part(connection, "from"),
		.to = query_part(connection, "to"),
		.queue = query_part(connection, "queue"),
		.of = query_part(connection, "of"),
	};
	const int64_t now = time(NULL);
	char log[PATH_MAX + 8];
	struct reply reply;

	snprintf(log, sizeof(log), "%s-wal", server.options.db);
	snprintf(tag, TAG_SIZE, "\"%llx-%llx-%llx-%llx\"", (unsigned long long) server.started,
		 (unsigned long long) now / 60, file_state(server.options.db), file_state(log));
	if (is_known(connection, tag))
		return not_modified;
	/* our own time is no silence of the client */
	clients_allow(connection, 0);
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
	reply = route_past(server.options.db, url, &query, now);
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
				  (unsigned) SILENT_SECONDS);
	clients_allow(connection, CLIENTS_ANSWER);
	return reply;
}
#endif

static struct reply site_reply(struct MHD_Connection *connection, const char *url, char *tag)
{
	struct reply reply = not_modified;

	pthread_mutex_lock(&server.lock);
	site_refresh(&server.site, time(NULL));
	snprintf(tag, TAG_SIZE, "\"%llx-%llx-%llx\"", (unsigned long long) server.started,
		 (unsigned long long) server.site.version, (unsigned long long) server.changes);
	if (!is_known(connection, tag))
		reply = route(&server.site, url);
	pthread_mutex_unlock(&server.lock);
	return reply;
}

static struct reply reply_make(struct MHD_Connection *connection, const char *url,
			       const char *method, char *tag)
{
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return reply_text(MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD.\n");
	if (!host_is_ours(MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
						      MHD_HTTP_HEADER_HOST)))
		return reply_text(MHD_HTTP_MISDIRECTED_REQUEST, "This server does not go by that "
				  "name: scohort web --name allows it.\n");
#ifdef HAVE_SQLITE
	if (server.options.db && route_is_past(url))
		return past_reply(connection, url, tag);
#endif
	return site_reply(connection, url, tag);
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *connection,
			      const char *url, const char *method,
			      const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	struct reply reply;
	char tag[TAG_SIZE];

	(void) arg;
	(void) version;
	(void) upload;
	if (!*state) {	/* the head of the request: an answer now would end the connection */
		*state = &server;
		return MHD_YES;
	}
	if (*upload_size) {	/* a body: libmicrohttpd takes no answer before its end */
		*upload_size = 0;
		return MHD_YES;
	}
	clients_allow(connection, CLIENTS_ANSWER);
	reply = reply_make(connection, url, method, tag);
	return reply_send(connection, &reply, tag);
}

/* ---- its life ---- */

/* A socket that listens there; -1 with errno. libmicrohttpd would not say what
 * is wrong with an address. */
static int socket_open(const struct sockaddr_storage *address)
{
	const socklen_t size = address->ss_family == AF_INET6
			       ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	const int on = 1;
	int saved, fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on))
	    && !bind(fd, (const struct sockaddr *) address, size) && !listen(fd, CLIENTS_MAX))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

/* The port of a socket, whatever its family; 0: not known */
static unsigned port_of(int fd)
{
	struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof(address);

	if (getsockname(fd, (struct sockaddr *) &address, &size))
		return 0;
	return ntohs(address.ss_family == AF_INET6
		     ? ((struct sockaddr_in6 *) &address)->sin6_port
		     : ((struct sockaddr_in *) &address)->sin_port);
}

unsigned server_start(const struct server_options *options, char *err, size_t size)
{
	const bool six = options->address.ss_family == AF_INET6;
	int fd = socket_open(&options->address);

	if (fd < 0) {
		snprintf(err, size, "%s", strerror(errno));
		return 0;
	}
	server.options = *options;
	server.site.has_past = options->db != NULL;
	server.started = time(NULL);
	server.daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION
		| (six ? MHD_USE_IPv6 : 0), 0, NULL, NULL, answer, NULL,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned) CLIENTS_MAX,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned) CONNECTIONS_OF_ONE,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned) SILENT_SECONDS,
		MHD_OPTION_NOTIFY_CONNECTION, clients_notify, NULL,
		MHD_OPTION_NOTIFY_COMPLETED, clients_completed, NULL,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) CONNECTION_BYTES, MHD_OPTION_END);
	if (server.daemon)
		return port_of(fd);
	snprintf(err, size, "libmicrohttpd can't serve it");
	close(fd);
	return 0;
}

void server_tell(const struct slurmctld *slurmctld)
{
	struct slurmctld *known = &server.site.slurmctld;

	pthread_mutex_lock(&server.lock);
	server.changes += slurmctld->down_since != known->down_since
			  || slurmctld->boot_time != known->boot_time;
	*known = *slurmctld;
	pthread_mutex_unlock(&server.lock);
}

void server_stop(void)
{
	MHD_stop_daemon(server.daemon);
	published_close(&server.site.p);
}
