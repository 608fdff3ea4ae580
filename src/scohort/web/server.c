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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "web/clients.h"
#include "web/readers.h"
#include "web/route.h"
#include "web/server.h"

/* What clients may cost: at most so many at once, and of one address, each silent for so
 * long, with so much memory beside what is sent */
#define CONNECTIONS 64
#define CONNECTIONS_OF_ONE 32
#define SILENT_SECONDS 4	/* live.js asks every five: a page that is open holds none */
#define CONNECTION_BYTES 16384

#define TAG_SIZE 128

struct server {
	struct MHD_Daemon *daemon;
	const char *const *names;
	size_t nnames;
	int64_t started;
	unsigned port;
	const char *db;		/* NULL: none */
	struct readers *readers;
	struct clients *clients;
	pthread_mutex_t lock;	/* of what is below */
	uint64_t told;		/* how often slurmctld's state has changed */
	struct site site;
};

/* ---- who asks ---- */

/* Host without its port; 0: it is too long for a name */
static size_t host_copy(char *buf, size_t size, const char *host)
{
	const char *end = *host == '[' ? strchr(host, ']') : strchr(host, ':');
	size_t n;

	if (*host == '[')
		host++;
	n = end ? (size_t) (end - host) : strlen(host);
	if (n >= size)
		return 0;
	memcpy(buf, host, n);
	buf[n] = '\0';
	return n;
}

static bool host_is_ours(const struct server *server, const char *host)
{
	struct in6_addr address;
	char name[256];

	if (!host)
		return true;	/* HTTP/1.0 */
	if (!host_copy(name, sizeof(name), host))
		return false;
	if (inet_pton(AF_INET, name, &address) == 1
	    || inet_pton(AF_INET6, name, &address) == 1
	    || !strcasecmp(name, "localhost"))
		return true;
	for (size_t i = 0; i < server->nnames; i++)
		if (!strcasecmp(name, server->names[i]))
			return true;
	return false;
}

/* ---- what is sent ---- */

static void headers_add(struct MHD_Response *response, const char *type,
			const char *tag)
{
	static const char *const headers[][2] = {
		{ "Content-Security-Policy", "default-src 'none'; "
		  "style-src 'self'; script-src 'self'; connect-src 'self'; "
		  "img-src 'self'; base-uri 'none'; form-action 'self'; "
		  "frame-ancestors 'none'" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cache-Control", "no-cache" },
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (tag)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, tag);
}

static enum MHD_Result response_send(struct MHD_Connection *connection,
				     unsigned status,
				     struct MHD_Response *response)
{
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* text: a literal */
static enum MHD_Result refuse(struct MHD_Connection *connection,
			      unsigned status, const char *text)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		strlen(text), (void *) text, MHD_RESPMEM_PERSISTENT);

	if (response)
		headers_add(response, "text/plain; charset=utf-8", NULL);
	if (response && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					"GET, HEAD");
	return response_send(connection, status, response);
}

static enum MHD_Result reply_send(struct MHD_Connection *connection,
				  const struct reply *reply, const char *tag)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		reply->size, reply->text, reply->fixed ? MHD_RESPMEM_PERSISTENT
						       : MHD_RESPMEM_MUST_FREE);

	if (!response && !reply->fixed)
		free(reply->text);
	if (response)
		headers_add(response, reply->type, tag);
	return response_send(connection, reply->status, response);
}

/* Another number when the file has changed, as far as that can be seen */
static unsigned long long file_state(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	return (unsigned long long) st.st_mtim.tv_sec * 1000000007u
	       + (unsigned long long) st.st_mtim.tv_nsec * 31u
	       + (unsigned long long) st.st_ino * 17u
	       + (unsigned long long) st.st_size;
}

/* A page of the past is another one when the database is, and each minute */
static void past_tag(const struct server *server, int64_t now, char *tag)
{
	char log[PATH_MAX + 8];

	snprintf(log, sizeof(log), "%s-wal", server->db);
	snprintf(tag, TAG_SIZE, "\"%llx-%llx-%llx-%llx\"",
		 (unsigned long long) server->started,
		 (unsigned long long) now / 60,
		 file_state(server->db), file_state(log));
}

/* Under the lock */
static void site_refresh(struct server *server, char *tag)
{
	server->site.now = time(NULL);
	snapshot_refresh(&server->site.snapshot, server->site.now);
	snprintf(tag, TAG_SIZE, "\"%llx-%llx-%llx\"",
		 (unsigned long long) server->started,
		 (unsigned long long) server->site.snapshot.version,
		 (unsigned long long) server->told);
}

/* The browser has this version of the page. */
static bool is_known(struct MHD_Connection *connection, const char *tag)
{
	const char *known = MHD_lookup_connection_value(
		connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);

	return known && !strcmp(known, tag);
}

static enum MHD_Result not_modified(struct MHD_Connection *connection,
				    const char *tag)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		0, (void *) "", MHD_RESPMEM_PERSISTENT);

	if (response)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, tag);
	return response_send(connection, MHD_HTTP_NOT_MODIFIED, response);
}

static const char *query_part(struct MHD_Connection *connection,
			      const char *key)
{
	return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND,
					   key);
}

static struct route_query query_of(struct MHD_Connection *connection)
{
	return (struct route_query) {
		.range = query_part(connection, "range"),
		.from = query_part(connection, "from"),
		.to = query_part(connection, "to"),
		.queue = query_part(connection, "queue"),
		.of = query_part(connection, "of"),
	};
}

/* A page that the browser has, or another one; its text is the reply's. */
static enum MHD_Result page_send(struct MHD_Connection *connection,
				 const struct reply *reply, const char *tag)
{
	if (!reply->status) {
		free(reply->text);
		return MHD_NO;
	}
	return reply_send(connection, reply,
			  reply->status == MHD_HTTP_OK ? tag : NULL);
}

static enum MHD_Result past_answer(struct server *server,
				   struct MHD_Connection *connection,
				   const char *url)
{
	const struct route_query query = query_of(connection);
	const int64_t now = time(NULL);
	char tag[TAG_SIZE];
	struct reply reply;
	bool done;

	past_tag(server, now, tag);
	if (is_known(connection, tag))
		return not_modified(connection, tag);
	/* our own time is no silence of the client */
	clients_allow(server->clients, connection, 0);
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
				  0u);
	done = readers_ask(server->readers, url, &query, now, &reply);
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT,
				  (unsigned) SILENT_SECONDS);
	clients_allow(server->clients, connection, CLIENTS_ANSWER);
	if (!done)
		return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "Too many ask for the past right now: try again "
			      "soon.\n");
	return page_send(connection, &reply, tag);
}

static enum MHD_Result site_answer(struct server *server,
				   struct MHD_Connection *connection,
				   const char *url)
{
	struct reply reply = { .status = 0 };
	char tag[TAG_SIZE];
	bool known;

	pthread_mutex_lock(&server->lock);
	site_refresh(server, tag);
	known = is_known(connection, tag);
	if (!known)
		reply = route(&server->site, url);
	pthread_mutex_unlock(&server->lock);
	return known ? not_modified(connection, tag)
		     : page_send(connection, &reply, tag);
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *connection,
			      const char *url, const char *method,
			      const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	struct server *server = arg;

	(void) version;
	(void) upload;
	if (!*state) {	/* the head of the request: an answer now would end the connection */
		*state = server;
		return MHD_YES;
	}
	if (*upload_size) {	/* a body: libmicrohttpd takes no answer before its end */
		*upload_size = 0;
		return MHD_YES;
	}
	clients_allow(server->clients, connection, CLIENTS_ANSWER);
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0
	    && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "Only GET and HEAD.\n");
	if (!host_is_ours(server, MHD_lookup_connection_value(
			connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST)))
		return refuse(connection, MHD_HTTP_MISDIRECTED_REQUEST,
			      "This server does not go by that name: scohort "
			      "web --name allows it.\n");
	return server->readers && route_is_past(url)
	       ? past_answer(server, connection, url)
	       : site_answer(server, connection, url);
}

/* ---- its life ---- */

/* A socket that listens there; -1 with errno. libmicrohttpd would not say what
 * is wrong with an address. */
static int socket_open(const struct sockaddr_storage *address)
{
	const socklen_t size = address->ss_family == AF_INET6
			       ? sizeof(struct sockaddr_in6)
			       : sizeof(struct sockaddr_in);
	const int on = 1;
	int saved, fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC,
			       0);

	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on))
	    && !bind(fd, (const struct sockaddr *) address, size)
	    && !listen(fd, CONNECTIONS))
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

struct server *server_start(const struct server_options *options, char *err,
			    size_t size)
{
	const bool six = options->address.ss_family == AF_INET6;
	struct server *server = calloc(1, sizeof(*server));
	int fd = -1;

	if (server)
		server->clients = clients_create();
	if (server && server->clients)
		fd = socket_open(&options->address);
	if (fd < 0) {
		snprintf(err, size, "%s", strerror(errno));
		if (server)
			clients_free(server->clients);
		free(server);
		return NULL;
	}
	pthread_mutex_init(&server->lock, NULL);
	server->names = options->names;
	server->nnames = options->nnames;
	server->db = options->db;
	server->readers = options->readers;
	server->site.has_past = options->db != NULL;
	server->started = time(NULL);
	server->port = port_of(fd);
	server->daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION
		| (six ? MHD_USE_IPv6 : 0), 0,
		NULL, NULL, answer, server,
		MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned) CONNECTIONS,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT,
		(unsigned) CONNECTIONS_OF_ONE,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned) SILENT_SECONDS,
		MHD_OPTION_NOTIFY_CONNECTION, clients_notify, server->clients,
		MHD_OPTION_NOTIFY_COMPLETED, clients_completed, server->clients,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) CONNECTION_BYTES,
		MHD_OPTION_END);
	if (!server->daemon) {
		snprintf(err, size, "libmicrohttpd can't serve it");
		close(fd);
		server_stop(server);
		return NULL;
	}
	return server;
}

unsigned server_port(const struct server *server)
{
	return server->port;
}

void server_tell(struct server *server, const struct answer *slurmctld)
{
	pthread_mutex_lock(&server->lock);
	server->told +=
		slurmctld->down_since != server->site.slurmctld.down_since
		|| slurmctld->boot_time != server->site.slurmctld.boot_time;
	server->site.slurmctld = *slurmctld;
	pthread_mutex_unlock(&server->lock);
}

void server_end_late(struct server *server)
{
	clients_end_late(server->clients);
}

void server_stop(struct server *server)
{
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	clients_free(server->clients);
	snapshot_close(&server->site.snapshot);
	pthread_mutex_destroy(&server->lock);
	free(server);
}
