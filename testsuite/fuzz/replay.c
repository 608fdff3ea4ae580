/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - a fuzz target without a fuzzer: runs each named file, and each
 * file in a named folder, once, as a test program
 */
#include <dirent.h>

#include "input.h"

static size_t count;

static void replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, room = 0, n = 1;

	while (f && n) {
		if (size == room) {
			room = 2 * room + 4096;
			data = realloc(data, room);
			require(data);
		}
		n = fread(data + size, 1, room - size, f);
		size += n;
	}
	if (!f || fclose(f)) {
		perror(path);
		exit(1);
	}
	/* so that reading beyond the end is detected */
	data = realloc(data, size + !size);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	count++;
}

static bool replay_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[4096];

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		replay_file(name);
	}
	return dir && !closedir(dir);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!replay_folder(argv[i]))
			replay_file(argv[i]);
	}
	printf("1..1\n%sok 1 - %zu inputs\n", count ? "" : "not ", count);
	return count ? 0 : 1;
}
