#include "frame.h"

uint16_t check_3740(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ (uint16_t)((uint16_t)byte << 8));
    for (uint8_t bit = 0; bit < 8; bit++) {
        const uint16_t divisor = (crc & 0x8000u) ? 0x1021u : 0u;
        crc = (uint16_t)((uint16_t)(crc << 1) ^ divisor);
    }
    return crc;
}

uint16_t check_arc(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ byte);
    for (uint8_t bit = 0; bit < 8; bit++) {
        const uint16_t divisor = (crc & 1u) ? 0xA001u : 0u;
        crc = (uint16_t)((uint16_t)(crc >> 1) ^ divisor);
    }
    return crc;
}

void frame_decoder_start(FrameDecoder *decoder)
{
    decoder->length = 0;
    decoder->taken = 0;
    decoder->left = 0;
    decoder->ended = false;
}

static FrameVerdict judge(const FrameDecoder *decoder)
{
    if (decoder->taken > FRAME_WIRE_MAX) {
        return FRAME_LONG;
    }
    if (decoder->left != 0) {
        return FRAME_COBS;
    }
    if (decoder->length < FRAME_PLAIN_MIN) {
        return FRAME_SHORT;
    }
    const uint8_t covered = (uint8_t)(decoder->length - 4);
    uint16_t first = 0xFFFF;
    uint16_t second = 0;
    for (uint8_t at = 0; at < covered; at++) {
        first = check_3740(first, decoder->plain[at]);
        second = check_arc(second, decoder->plain[at]);
    }
    const uint8_t *checks = decoder->plain + covered;
    const bool right = checks[0] == (uint8_t)(first & 0xFFu) && checks[1] == (uint8_t)(first >> 8) &&
                       checks[2] == (uint8_t)(second & 0xFFu) && checks[3] == (uint8_t)(second >> 8);
    return right ? FRAME_GOOD : FRAME_CHECK;
}

FrameVerdict frame_take(FrameDecoder *decoder, uint8_t byte)
{
    if (decoder->ended) {
        frame_decoder_start(decoder);
    }
    if (byte == 0) {
        if (decoder->taken == 0) {
            return FRAME_NONE;
        }
        decoder->ended = true;
        return judge(decoder);
    }
    if (decoder->taken > FRAME_WIRE_MAX) {
        return FRAME_NONE;
    }
    decoder->taken++;
    if (decoder->taken > FRAME_WIRE_MAX) {
        return FRAME_NONE;
    }
    if (decoder->left == 0) {
        /* A block's length. The zero that the block before it stood for comes now, since it is known that the frame goes on.
           The first length makes no byte, so at most FRAME_WIRE_MAX - 1 = FRAME_PLAIN_MAX bytes are ever stored. */
        if (decoder->taken > 1) {
            decoder->plain[decoder->length++] = 0;
        }
        decoder->left = (uint8_t)(byte - 1);
    } else {
        decoder->plain[decoder->length++] = byte;
        decoder->left--;
    }
    return FRAME_NONE;
}

void frame_send(uint8_t *plain, uint8_t length, void (*send)(uint8_t byte))
{
    uint16_t first = 0xFFFF;
    uint16_t second = 0;
    for (uint8_t at = 0; at < length; at++) {
        first = check_3740(first, plain[at]);
        second = check_arc(second, plain[at]);
    }
    plain[length++] = (uint8_t)(first & 0xFFu);
    plain[length++] = (uint8_t)(first >> 8);
    plain[length++] = (uint8_t)(second & 0xFFu);
    plain[length++] = (uint8_t)(second >> 8);

    uint8_t start = 0;
    for (uint8_t at = 0; at <= length; at++) {
        if (at == length || plain[at] == 0) {
            send((uint8_t)(at - start + 1));
            while (start < at) {
                send(plain[start++]);
            }
            start = (uint8_t)(at + 1);
        }
    }
    send(0);
}
