/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUGGEST_H
#define EDGEWISE_HARNESS_SUGGEST_H

/* "Did you mean": the word that somebody meant when he typed another. */

#include <stddef.h>

/* Longer words are never compared: nobody mistypes them into each other. */
#define SUGGEST_WORD_MAX 128

/* How many letters to insert, delete, replace or swap with their neighbour to make `b` of `a`.
 * Words above SUGGEST_WORD_MAX are SUGGEST_WORD_MAX apart. */
size_t suggest_distance(const char *a, const char *b);

/* The nearest of `words` that is near enough to be what was meant, the first of equals, or NULL. */
const char *suggest_nearest(const char *typed, const char *const *words, size_t count);

#endif
