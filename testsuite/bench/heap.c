// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * heap - tells how much memory a process has in use; for LD_PRELOAD
 *
 * What is resident says little: it has in it what threads have freed and the C library
 * keeps for them. Here each block counts from the call that makes it to the call that
 * frees it, with its header and what it was rounded up to. The sum is the first eight
 * bytes of the file PID in the folder COHORT_HEAP, always up to date. A child begins
 * with the sum of its parent, in a file of its own.
 *
 * Only for glibc: its functions have second names, by which they are called here.
 */

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER sizeof(size_t)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static _Atomic int64_t early;	/* before there is a file, or without one */
static _Atomic int64_t *in_use = &early;

static void *made(void *block)
{
	if (block)
		atomic_fetch_add_explicit(in_use, (int64_t)(malloc_usable_size(block) + HEADER),
					  memory_order_relaxed);
	return block;
}

static void gone(void *block)
{
	if (block)
		atomic_fetch_sub_explicit(in_use, (int64_t)(malloc_usable_size(block) + HEADER),
					  memory_order_relaxed);
}

void *malloc(size_t size)
{
	return made(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
	return made(__libc_calloc(n, size));
}

void *realloc(void *block, size_t size)
{
	size_t old = block ? malloc_usable_size(block) + HEADER : 0;
	void *now = __libc_realloc(block, size);

	if (now || !size)
		atomic_fetch_sub_explicit(in_use, (int64_t)old, memory_order_relaxed);
	return made(now);
}

void *memalign(size_t alignment, size_t size)
{
	return made(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return made(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	void *now = made(__libc_memalign(alignment, size));

	if (!now)
		return ENOMEM;
	*block = now;
	return 0;
}

void free(void *block)
{
	gone(block);
	__libc_free(block);
}

/* Nothing is allocated here: a child of a process with threads comes here, too. */
static void file_open(void)
{
	const char *folder = getenv("COHORT_HEAP");
	int64_t sum = atomic_load(in_use);
	void *page = MAP_FAILED;
	char path[4096];
	int fd;

	in_use = &early;
	if (folder && snprintf(path, sizeof(path), "%s/%ld", folder, (long)getpid()) <
		      (int)sizeof(path)) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (fd >= 0 && !ftruncate(fd, sizeof(sum)))
			page = mmap(NULL, sizeof(sum), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (fd >= 0)
			close(fd);
	}
	if (page != MAP_FAILED)
		in_use = page;
	atomic_store(in_use, sum);
}

static __attribute__((constructor)) void begin(void)
{
	file_open();
	pthread_atfork(NULL, NULL, file_open);
}
