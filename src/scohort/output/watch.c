/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.c - what a command shows, again and again
 *
 * On a terminal a round is written over the one before, and only what is left of that
 * is cleared: so nothing flickers. The first round is made before the screen changes:
 * what libslurm says of a wrong slurm.conf stays to be read. Signals restore the
 * terminal, and then do what they always do: those that end the process wherever they
 * come, the others between rounds, of which none may begin in the middle of the screen.
 * Behind a shell's other job it is silent.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "output/exit_status.h"
#include "output/text.h"
#include "output/watch.h"

#define ROWS_DEFAULT 24
#define LEAVE_MSEC 1000

/* The other screen, no cursor, long lines are cut; and back */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[H\033[2J"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

struct watch {
	const struct output *out;
	const char *command;
	int64_t seconds;
	bool screen;
	sigset_t between;		/* signals that end a pause, and never come in a round */
};

/* ---- the terminal ---- */

static volatile sig_atomic_t on_screen;

/* All of it, also to a terminal that is not to make a writer wait (O_NONBLOCK). It may
 * take nothing (Ctrl-S) for so many milliseconds; -1: for ever */
static bool put(const char *text, size_t len, int patience)
{
	struct pollfd room = { .fd = STDOUT_FILENO, .events = POLLOUT };

	while (len) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n >= 0) {
			text += n;
			len -= (size_t) n;
		} else if (errno == EAGAIN) {
			if (!poll(&room, 1, patience))
				return false;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* Also in a signal handler, and at exit */
static void screen_leave(void)
{
	if (on_screen) {
		on_screen = 0;
		put(LEAVE, strlen(LEAVE), LEAVE_MSEC);
	}
}

static void on_end(int signal_number)
{
	screen_leave();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Those that end the process come at any time, the others wait for a pause. */
static void signals_take(struct watch *w)
{
	static const int ends[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
				    SIGUSR1, SIGUSR2, SIGALRM, SIGABRT, SIGSEGV };
	const struct sigaction action = { .sa_handler = on_end, .sa_flags = SA_RESTART };
	struct sigaction before;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	sigaddset(&w->between, SIGTSTP);
	sigaddset(&w->between, SIGWINCH);
	sigaddset(&w->between, SIGCONT);
	sigprocmask(SIG_BLOCK, &w->between, NULL);
}

static bool screen_enter(void)
{
	if (on_screen)
		return true;
	on_screen = 1;
	return put(ENTER, strlen(ENTER), -1);
}

/* False: a shell has put it behind another job. A terminal that controls no job is
 * never another job's. */
static bool is_in_front(void)
{
	pid_t group = tcgetpgrp(STDOUT_FILENO);

	return group < 0 || group == getpgrp();
}

static bool is_screen(const struct output *out)
{
	const char *term = getenv("TERM");

	return out->kind == OUTPUT_TEXT && isatty(STDOUT_FILENO) && term
	       && *term && strcmp(term, "dumb") != 0;
}

static int rows_of_screen(void)
{
	struct winsize size;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > 0
	       ? size.ws_row : ROWS_DEFAULT;
}

/* ---- a round ---- */

static void head_print(FILE *f, const struct watch *w)
{
	const char *when = text_date(TEXT_BUF, (int64_t) time(NULL));

	if (w->out->no_header || output_is_data(w->out))
		return;
	if (w->out->kind == OUTPUT_PARSABLE)
		fprintf(f, "# %s\n", when);
	else
		fprintf(f, "%s: every %lld s, %s\n\n", w->command, (long long) w->seconds, when);
}

/* As many lines as there is room for, the last one without a newline, which would move
 * all up */
static void screen_print(FILE *f, const char *text)
{
	int rows = rows_of_screen();

	fputs(HOME, f);
	for (int i = 0; i < rows && *text; i++) {
		int n = (int) strcspn(text, "\n");

		fprintf(f, "%s%.*s" CLEAR_LINE, i ? "\n" : "", n, text);
		text += n + (text[n] == '\n');
	}
	fputs(CLEAR_REST, f);
}

/* As one piece; nothing behind another job */
static bool screen_draw(const char *text)
{
	char *frame = NULL;
	size_t size;
	FILE *f;
	bool done;

	if (!is_in_front())
		return true;
	f = open_memstream(&frame, &size);
	if (!f)
		return false;
	screen_print(f, text);
	done = !fclose(f) && screen_enter() && put(frame, size, -1);
	free(frame);
	return done;
}

static bool round_print(const struct watch *w, const char *text)
{
	if (w->screen)
		return screen_draw(text);
	fputs(text, stdout);
	if (!output_is_data(w->out))
		putchar('\n');
	return !fflush(stdout);
}

/* What the round has printed, and on a screen its messages, too; NULL: no memory. To be
 * freed */
static char *round_make(const struct watch *w, watch_f show, void *arg, int *status)
{
	struct output out = *w->out, now;
	char *text = NULL;
	size_t size;

	output_init(&now);
	out.width = now.width;
	out.file = open_memstream(&text, &size);
	if (!out.file)
		return NULL;
	head_print(out.file, w);
	if (w->screen)
		output_messages_to(out.file);
	*status = show(arg, &out);
	output_messages_to(NULL);
	if (!fclose(out.file))
		return text;
	free(text);
	return NULL;
}

/* False: it is to end */
static bool round_show(const struct watch *w, watch_f show, void *arg, int *status)
{
	char *text = round_make(w, show, arg, status);
	bool last = *status != STATUS_OK && *status != STATUS_DOWN;
	bool done = text != NULL;

	if (done && last && w->screen) {
		screen_leave();
		fputs(text, stderr);
	} else if (done) {
		done = round_print(w, text);
	}
	free(text);
	if (!done)
		*status = STATUS_FAILED;
	return done && !last;
}

/* A new size only ends it: the next round is of that size. Ctrl-Z stops the process unless
 * no shell is there that could continue it: that is for the kernel to know. */
static void pause_for(const struct watch *w, int64_t seconds)
{
	const struct timespec pause = { .tv_sec = (time_t) seconds };

	if (sigtimedwait(&w->between, NULL, &pause) != SIGTSTP)
		return;
	screen_leave();
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &w->between, NULL);
	sigprocmask(SIG_BLOCK, &w->between, NULL);
}

/* Behind another job no round is made: slurmctld is not asked for nobody. */
static void pause_between(const struct watch *w)
{
	pause_for(w, w->seconds);
	while (w->screen && !is_in_front())
		pause_for(w, 1);
}

int watch_run(const struct output *out, int64_t seconds, const char *command,
	      watch_f show, void *arg)
{
	struct watch w = {
		.out = out, .command = command, .seconds = seconds,
		.screen = is_screen(out),
	};
	int status = STATUS_OK;

	if (seconds < 1) {
		stderr_line("%s: --watch: 0 seconds is too few; 1 is the least", command);
		return STATUS_USAGE;
	}
	sigemptyset(&w.between);
	if (w.screen) {
		signals_take(&w);
		atexit(screen_leave);
	}
	while (round_show(&w, show, arg, &status))
		pause_between(&w);
	screen_leave();
	return status;
}
