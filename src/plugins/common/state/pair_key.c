/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pair_key.c - a flavor and a resource by name: RESOURCE@FLAVOR
\*****************************************************************************/
#include "state/pair_key.h"

#include "state/state.h"

extern void pair_key_print(char *key, const struct spec *spec, int flavor, int resource)
{
	snprintf(key, PAIR_KEY_BYTES, "%s@%s", spec->resources[resource],
		 spec->flavors[flavor]);
}

extern bool pair_key_find(const char *key, int *flavor, int *resource)
{
	char *copy = xstrdup(key), *at = strrchr(copy, '@');

	*flavor = *resource = SPEC_NONE;
	if (at) {
		*at = '\0';
		*flavor = spec_find_flavor(ctld.conf->spec, at + 1);
		*resource = spec_find_resource(ctld.conf->spec, copy);
	}
	xfree(copy);
	return (*flavor != SPEC_NONE) && (*resource != SPEC_NONE);
}
