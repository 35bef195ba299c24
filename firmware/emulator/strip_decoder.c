#include "strip_decoder.h"

#include <string.h>

/* In units of 20.8 ns, rounded inwards: what WS2812B (0.4, 0.8, 0.85 and 0.45 us, each +-0.15), SK6812 (0.3, 0.6, 0.9 and 0.6 us, each
   +-0.15) and WS2812B-V5 (a zero high for 0.22 to 0.38 us, a one for 0.58 to 1) all take. After a one the V5 wants 0.58 us of low, a
   WS2812B 0.6 at most: the latter's window is used, as strips know a bit by its high time. */
enum {
    T0H_MIN = 12, T0H_MAX = 18,
    T1H_MIN = 32, T1H_MAX = 36,
    T0L_MIN = 36, T0L_MAX = 48,
    T1L_MIN = 22, T1L_MAX = 28,
    GAP_MAX = 288,              /* 6 us: some strips latch after that */
    LATCH = 2400                /* 50 us */
};

void strip_decoder_start(StripDecoder *strip, uint32_t hz)
{
    memset(strip, 0, sizeof *strip);
    strip->units = TIMING_HZ / hz;
    LightTiming *timing = &strip->timing;
    timing->zero_high_min = timing->one_high_min = timing->zero_low_min = timing->one_low_min = timing->pause_min = UINT32_MAX;
}

static void extremes(uint32_t *least, uint32_t *most, uint32_t value)
{
    if (value < *least) {
        *least = value;
    }
    if (value > *most) {
        *most = value;
    }
}

static void end_picture(StripDecoder *strip)
{
    if (strip->bit_count == 0) {
        return;
    }
    if (strip->bit_count % 24) {
        strip->timing.bad_bits++;
    }
    strip->picture_bytes = strip->bit_count / 8;
    memcpy(strip->picture, strip->wire, strip->picture_bytes);
    strip->picture_number++;
    strip->picture_cycle = strip->fell;
    strip->timing.pictures++;
    strip->bit_count = 0;
    if (strip->told) {
        strip->told(strip->told_context, strip->picture, strip->picture_bytes, strip->picture_cycle);
    }
}

void strip_decoder_edge(StripDecoder *strip, int pin, uint64_t now)
{
    LightTiming *timing = &strip->timing;
    if (pin == strip->pin) {
        return;
    }
    strip->pin = pin;
    if (pin) {
        const uint64_t low = (now - strip->fell) * strip->units;
        if (strip->bit_count && low >= LATCH) {
            end_picture(strip);
        }
        if (strip->bit_count) {
            if (strip->bit_count % 24 == 0) {
                uint32_t unused = 0;
                extremes(&unused, &timing->gap_max, (uint32_t)low);
                if (low > GAP_MAX) {
                    timing->bad_bits++;
                }
            } else if (strip->last_bit) {
                extremes(&timing->one_low_min, &timing->one_low_max, (uint32_t)low);
                timing->bad_bits += low < T1L_MIN || low > T1L_MAX;
            } else {
                extremes(&timing->zero_low_min, &timing->zero_low_max, (uint32_t)low);
                timing->bad_bits += low < T0L_MIN || low > T0L_MAX;
            }
        } else if (strip->timing.pictures && low < timing->pause_min) {
            timing->pause_min = (uint32_t)low;
        }
        strip->rose = now;
        return;
    }
    const uint64_t high = (now - strip->rose) * strip->units;
    const int bit = high > (T0H_MAX + T1H_MIN) / 2;
    timing->bits++;
    if (bit) {
        extremes(&timing->one_high_min, &timing->one_high_max, (uint32_t)high);
        timing->bad_bits += high < T1H_MIN || high > T1H_MAX;
    } else {
        extremes(&timing->zero_high_min, &timing->zero_high_max, (uint32_t)high);
        timing->bad_bits += high < T0H_MIN || high > T0H_MAX;
    }
    strip->last_bit = bit;
    if (strip->bit_count < 24 * BOARD_LIGHTS_MAX) {
        uint8_t *byte = &strip->wire[strip->bit_count / 8];
        *byte = (uint8_t)(*byte << 1 | bit);
        strip->bit_count++;
    } else {
        timing->bad_bits++;
    }
    strip->fell = now;
}

void strip_decoder_wait(StripDecoder *strip, uint64_t cycle)
{
    if (strip->bit_count && !strip->pin && (cycle - strip->fell) * strip->units >= LATCH) {
        end_picture(strip);
    }
}
