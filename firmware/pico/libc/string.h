/* The three functions of a C library that the core calls; memory.c has them. */
#ifndef ALLFRONTS_PICO_STRING_H
#define ALLFRONTS_PICO_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);

#endif
