/* Frames on the wire: COBS, two checks, a delimiter. PROTOCOL.md section 1 is the law. */
#ifndef ALLFRONTS_FRAME_H
#define ALLFRONTS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_BODY_MAX = 60,
    FRAME_PLAIN_MIN = 6,                      /* type, seq, two checks */
    FRAME_PLAIN_MAX = FRAME_BODY_MAX + 6,
    FRAME_WIRE_MAX = FRAME_PLAIN_MAX + 1,     /* one COBS byte, as no frame reaches 254 */
    FRAME_SEND_ROOM = FRAME_WIRE_MAX + 1      /* and the delimiter */
};

typedef enum { FRAME_NONE, FRAME_GOOD, FRAME_LONG, FRAME_COBS, FRAME_SHORT, FRAME_CHECK } FrameVerdict;

/* Decodes as the bytes come. After FRAME_GOOD the frame lies in plain[0..length) until the next byte is taken:
   type, seq, body of length - 6 bytes, checks. */
typedef struct {
    uint8_t plain[FRAME_PLAIN_MAX];
    uint8_t length;    /* bytes decoded */
    uint8_t taken;     /* bytes since the delimiter, stops one above FRAME_WIRE_MAX */
    uint8_t left;      /* bytes of the present COBS block still to come */
    bool ended;        /* the frame in plain is done; the next byte starts a new one */
} FrameDecoder;

void frame_decoder_start(FrameDecoder *decoder);
FrameVerdict frame_take(FrameDecoder *decoder, uint8_t byte);

/* Puts both checks behind plain[0..length) and gives the bytes, delimiter included, to send. length is 2..62 and plain has room for 4 more. */
void frame_send(uint8_t *plain, uint8_t length, void (*send)(uint8_t byte));

uint16_t check_3740(uint16_t crc, uint8_t byte);    /* start with 0xFFFF */
uint16_t check_arc(uint16_t crc, uint8_t byte);     /* start with 0 */

#endif
