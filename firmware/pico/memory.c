/* What the compiler calls for copying and clearing; no C library is linked. */
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    while (count--) {
        *out++ = *in++;
    }
    return to;
}

void *memset(void *to, int value, size_t count)
{
    uint8_t *out = to;
    while (count--) {
        *out++ = (uint8_t)value;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t count)
{
    const uint8_t *left = a;
    const uint8_t *right = b;
    for (; count; count--, left++, right++) {
        if (*left != *right) {
            return *left - *right;
        }
    }
    return 0;
}
