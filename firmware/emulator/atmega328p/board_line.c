/* The serial line of the emulated chip, byte by byte in time: two bytes of FIFO and the one arriving, as the datasheet has it.
   simavr's own receiver holds 64 bytes and hides every loss, so this stands in front of it; its sender is kept. */
#include "board_inside.h"

#include <stdlib.h>
#include <string.h>

#include <simavr/sim_interrupts.h>

enum { DOR_BIT = 3 };

static uint32_t divisor(const Board *board)
{
    const avr_t *avr = board->avr;
    const uint32_t ubrr = avr->data[board->uart->ubrrl.reg] | (uint32_t)(avr->data[board->uart->ubrrh.reg] & 15) << 8;
    const uint32_t doubled = avr_regbit_get(board->avr, board->uart->u2x) ? 8 : 16;
    return (ubrr + 1) * doubled;
}

uint32_t board_baud(const Board *board)
{
    return CHIP_HZ / divisor(board);
}

static uint64_t byte_cycles(const Board *board)
{
    return 10u * divisor(board);
}

static int speeds_agree(const Board *board)
{
    const uint32_t board_speed = board_baud(board);
    const uint32_t apart = board_speed > board->host_baud ? board_speed - board->host_baud : board->host_baud - board_speed;
    return apart * 1000u <= board->host_baud * 45u;
}

static uint8_t heard(const Board *board, uint8_t byte)
{
    /* Sampled at the wrong speed: not the true bits, but bytes that nobody can take for them. */
    return speeds_agree(board) ? byte : (uint8_t)((byte ^ 0x5A) | 0x80);
}

/* simavr does not know this chip's DOR0. */
static void show_overrun(Board *board)
{
    uint8_t *status = &board->avr->data[board->uart->r_ucsra];
    *status = (uint8_t)((*status & ~(1 << DOR_BIT)) | board->overran << DOR_BIT);
}

/* RXC is a level: as long as a byte is unread, the flag is up and the interrupt asks. */
static void show_receiver(Board *board)
{
    avr_t *avr = board->avr;
    show_overrun(board);
    if (board->fifo_count) {
        avr_regbit_set(avr, board->uart->rxc.raised);
        if (!board->uart->rxc.pending) {
            avr_raise_interrupt(avr, &board->uart->rxc);
        }
    } else {
        avr_regbit_clear(avr, board->uart->rxc.raised);
        if (board->uart->rxc.pending) {
            avr_clear_interrupt(avr, &board->uart->rxc);
        }
    }
}

static avr_cycle_count_t byte_arrives(avr_t *avr, avr_cycle_count_t when, void *param);

static void start_byte(Board *board)
{
    if (!board->arriving && board->in_head != board->in_tail) {
        board->arriving = 1;
        avr_cycle_timer_register(board->avr, byte_cycles(board), byte_arrives, board);
    }
}

static avr_cycle_count_t byte_arrives(avr_t *avr, avr_cycle_count_t when, void *param)
{
    Board *board = param;
    const uint8_t byte = board->in[board->in_tail];
    board->in_tail = (board->in_tail + 1) % LINE_ROOM;
    board->arriving = 0;
    board->line.received++;
    if (!avr_regbit_get(avr, board->uart->rxen)) {
        board->line.unheard++;
    } else if (board->fifo_count > FIFO_DEPTH) {
        /* Two unread and one waiting in the shift register: this one pushes it out. */
        board->fifo[FIFO_DEPTH] = heard(board, byte);
        board->overran = 1;
        board->line.overrun++;
        show_receiver(board);
    } else {
        board->fifo[board->fifo_count++] = heard(board, byte);
        show_receiver(board);
    }
    if (board->in_head == board->in_tail) {
        return 0;
    }
    board->arriving = 1;
    return when + byte_cycles(board);
}

static uint8_t udr_read(avr_t *avr, avr_io_addr_t address, void *param)
{
    Board *board = param;
    const uint8_t byte = board->fifo[0];
    (void)address;
    if (board->fifo_count) {
        board->fifo_count--;
        memmove(board->fifo, board->fifo + 1, FIFO_DEPTH);
    }
    board->overran = 0;
    avr->data[board->uart->r_udr] = byte;
    show_receiver(board);
    return byte;
}

static uint8_t ucsra_read(avr_t *avr, avr_io_addr_t address, void *param)
{
    Board *board = param;
    avr_regbit_setto(avr, board->uart->rxc.raised, board->fifo_count != 0);
    show_overrun(board);
    return avr->data[address];
}

/* simavr counts 11 bits a byte, whatever is set; 8N1 has 10. */
static void speed_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    Board *board = param;
    const Hooked *hooked = address == board->uart->r_ucsra ? &board->ucsra
                         : address == board->uart->ubrrl.reg ? &board->ubrrl : &board->ubrrh;
    if (hooked->write) {
        hooked->write(avr, address, value, hooked->param);
    } else {
        avr->data[address] = value;
    }
    board->uart->cycles_per_byte = byte_cycles(board);
    avr_regbit_setto(avr, board->uart->rxc.raised, board->fifo_count != 0);
}

static void byte_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    Board *board = param;
    (void)irq;
    const uint64_t from = board->out_free > board->avr->cycle ? board->out_free : board->avr->cycle;
    board->out_free = from + byte_cycles(board);
    const uint32_t next = (board->out_head + 1) % LINE_ROOM;
    board->line.sent++;
    if (next != board->out_tail) {
        board->out[board->out_head] = heard(board, (uint8_t)value);
        board->out_at[board->out_head] = board->out_free;
        board->out_head = next;
    }
}

void board_write(Board *board, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t next = (board->in_head + 1) % LINE_ROOM;
        if (next == board->in_tail) {
            break;
        }
        board->in[board->in_head] = bytes[at];
        board->in_head = next;
    }
    start_byte(board);
}

uint32_t board_write_waiting(const Board *board)
{
    return (board->in_head - board->in_tail + LINE_ROOM) % LINE_ROOM;
}

uint32_t board_read(Board *board, uint8_t *bytes, uint64_t *at, uint32_t room)
{
    uint32_t count = 0;
    while (count < room && board->out_tail != board->out_head && board->out_at[board->out_tail] <= board->avr->cycle) {
        bytes[count] = board->out[board->out_tail];
        if (at) {
            at[count] = board->out_at[board->out_tail];
        }
        board->out_tail = (board->out_tail + 1) % LINE_ROOM;
        count++;
    }
    return count;
}

void board_host_baud(Board *board, uint32_t baud)
{
    board->host_baud = baud;
}

static void hook(avr_t *avr, Board *board, Hooked *hooked, avr_io_addr_t address)
{
    const uint32_t io = AVR_DATA_TO_IO(address);
    hooked->write = avr->io[io].w.c;
    hooked->param = avr->io[io].w.param;
    avr->io[io].w.c = speed_written;
    avr->io[io].w.param = board;
}

void line_start(Board *board)
{
    avr_t *avr = board->avr;
    for (avr_io_t *io = avr->io_port; io; io = io->next) {
        if (strcmp(io->kind, "uart") == 0) {
            board->uart = (avr_uart_t *)io;
        }
    }
    board->in = calloc(LINE_ROOM, 1);
    board->out = calloc(LINE_ROOM, 1);
    board->out_at = calloc(LINE_ROOM, sizeof *board->out_at);
    board->host_baud = 115200;
    hook(avr, board, &board->ubrrl, board->uart->ubrrl.reg);
    hook(avr, board, &board->ubrrh, board->uart->ubrrh.reg);
    hook(avr, board, &board->ucsra, board->uart->r_ucsra);
    avr->io[AVR_DATA_TO_IO(board->uart->r_udr)].r.c = udr_read;
    avr->io[AVR_DATA_TO_IO(board->uart->r_udr)].r.param = board;
    avr->io[AVR_DATA_TO_IO(board->uart->r_ucsra)].r.c = ucsra_read;
    avr->io[AVR_DATA_TO_IO(board->uart->r_ucsra)].r.param = board;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_sent, board);
}

void line_after_reset(Board *board)
{
    /* avr_reset dropped every timer. */
    board->fifo_count = 0;
    board->overran = 0;
    board->arriving = 0;
    start_byte(board);
    uint32_t flags = 0;
    avr_ioctl(board->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}
