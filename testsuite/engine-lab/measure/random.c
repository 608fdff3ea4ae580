/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.c - random numbers: xorshift64*
 */
#include "measure/random.h"

uint64_t random_below(uint64_t *state, uint64_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * UINT64_C(0x2545f4914f6cdd1d) >> 32) % below;
}
