/* The emulated board in real time, on a pseudo-terminal: what it shows goes out as JSON lines, what is done to it comes in as words. */
#define _GNU_SOURCE
#include "board.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
    SLICE_US = 1000,
    EARLY_US = 500,             /* less than this due: wait for it, or for a byte */
    BEHIND_US = 100000          /* further behind: the time is lost, not caught up */
};

static Board *board;
static uint32_t cycles_a_us;
static const char *kept_path;
static const char *link_path;
static int master = -1;
static char port[256];
static volatile sig_atomic_t stopping;

static void stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static double board_ms(void)
{
    return (double)board_cycle(board) / (cycles_a_us * 1000.0);
}

static uint8_t last_wire[3 * BOARD_LIGHTS_MAX];
static uint32_t last_bytes;

static void print_lights(const uint8_t *wire, uint32_t bytes, double at_ms)
{
    printf("{\"event\": \"lights\", \"ms\": %.3f, \"wire\": \"", at_ms);
    for (uint32_t at = 0; at < bytes; at++) {
        printf("%02x", wire[at]);
    }
    printf("\"}\n");
    fflush(stdout);
}

static void picture(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle)
{
    (void)context;
    if (bytes == last_bytes && memcmp(wire, last_wire, bytes) == 0) {
        return;
    }
    memcpy(last_wire, wire, bytes);
    last_bytes = bytes;
    print_lights(wire, bytes, (double)cycle / (cycles_a_us * 1000.0));
}

static void kept_load(void)
{
    const uint32_t size = board_kept_bytes();
    uint8_t *bytes = malloc(size);
    FILE *file = kept_path ? fopen(kept_path, "rb") : NULL;
    if (file) {
        if (fread(bytes, 1, size, file) == size) {
            board_kept_set(board, bytes);
        }
        fclose(file);
    }
    free(bytes);
}

static void kept_save(void)
{
    static uint8_t *saved;
    static uint8_t *bytes;
    const uint32_t size = board_kept_bytes();
    if (!kept_path) {
        return;
    }
    if (!saved) {
        saved = calloc(1, size);
        bytes = calloc(1, size);
    }
    board_kept_get(board, bytes);
    if (memcmp(bytes, saved, size) == 0) {
        return;
    }
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", kept_path);
    FILE *file = fopen(fresh, "wb");
    if (file) {
        const size_t written = fwrite(bytes, 1, size, file);
        if (fclose(file) == 0 && written == size && rename(fresh, kept_path) == 0) {
            memcpy(saved, bytes, size);
        }
    }
}

/* near down | near up | far down | far up | reset | power | lights | quit */
static void obey(char *line)
{
    char what[16] = "";
    char how[16] = "";
    const int words = sscanf(line, "%15s %15s", what, how);
    if (words < 1) {
        return;
    }
    if (strcmp(what, "near") == 0 || strcmp(what, "far") == 0) {
        board_button(board, strcmp(what, "far") == 0, strcmp(how, "down") == 0);
    } else if (strcmp(what, "reset") == 0) {
        board_reset(board);
    } else if (strcmp(what, "power") == 0) {
        board_power_cycle(board);
    } else if (strcmp(what, "lights") == 0) {
        print_lights(last_wire, last_bytes, board_ms());
    } else if (strcmp(what, "quit") == 0) {
        stopping = 1;
    }
}

static void commands(void)
{
    static char line[256];
    static size_t length;
    const ssize_t got = read(0, line + length, sizeof line - 1 - length);
    if (got <= 0) {
        if (got == 0) {
            stopping = 1;
        }
        return;
    }
    length += (size_t)got;
    line[length] = 0;
    for (char *end; (end = strchr(line, '\n')) != NULL;) {
        *end = 0;
        obey(line);
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length + 1);
    }
    if (length == sizeof line - 1) {
        length = 0;
    }
}

static uint32_t speed_of(speed_t speed)
{
    switch (speed) {
    case B1200: return 1200;
    case B9600: return 9600;
    case B19200: return 19200;
    case B38400: return 38400;
    case B57600: return 57600;
    case B115200: return 115200;
    case B230400: return 230400;
    default: return 115200;
    }
}

static void to_host(int open)
{
    uint8_t bytes[512];
    const uint32_t count = board_read(board, bytes, NULL, sizeof bytes);
    if (count && open) {
        /* What the host does not read is lost, as in a serial chip. */
        const ssize_t written = write(master, bytes, count);
        (void)written;
    }
}

static int place_link(const char *port)
{
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.%d", link_path, getpid());
    unlink(fresh);
    return symlink(port, fresh) == 0 && rename(fresh, link_path) == 0;
}

static void remove_link(void)
{
    if (link_path) {
        char target[256];
        const ssize_t length = readlink(link_path, target, sizeof target - 1);
        if (length > 0 && (target[length] = 0, strcmp(target, port) == 0)) {
            unlink(link_path);
        }
    }
}

/* A port of its own for each number, as the board's own USB comes and goes; none for 0. Returns 0 if that cannot be. */
static int port_follows(uint32_t number)
{
    struct termios raw;
    int slave = -1;
    if (master >= 0) {
        remove_link();
        close(master);
        master = -1;
        printf("{\"event\": \"gone\", \"ms\": %.3f}\n", board_ms());
        fflush(stdout);
    }
    if (number == 0) {
        return 1;
    }
    if (openpty(&master, &slave, port, NULL, NULL) != 0 || tcgetattr(slave, &raw) != 0) {
        perror("pseudo-terminal");
        return 0;
    }
    cfmakeraw(&raw);
    cfsetspeed(&raw, B115200);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);    /* so that the master tells when the last client is gone */
    fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK);
    if (link_path && !place_link(port)) {
        perror(link_path);
        return 0;
    }
    printf("{\"event\": \"ready\", \"port\": \"%s\"}\n", port);
    fflush(stdout);
    return 1;
}

int main(int count, char **words)
{
    const char *program = NULL;
    const char *bootloader = NULL;
    int dtr = 0;
    for (int at = 1; at < count; at++) {
        const int more = at + 1 < count;
        if (strcmp(words[at], "--program") == 0 && more) {
            program = words[++at];
        } else if (strcmp(words[at], "--bootloader") == 0 && more) {
            bootloader = words[++at];
        } else if (strcmp(words[at], "--kept") == 0 && more) {
            kept_path = words[++at];
        } else if (strcmp(words[at], "--link") == 0 && more) {
            link_path = words[++at];
        } else if (strcmp(words[at], "--dtr") == 0) {
            dtr = 1;
        } else {
            fprintf(stderr, "usage: %s --program ELF|HEX|UF2 [--bootloader HEX] [--kept FILE] [--link PATH] [--dtr]\n", words[0]);
            return 2;
        }
    }
    board = board_new(program, bootloader, 0);
    if (!board) {
        fprintf(stderr, "%s: cannot be loaded\n", program ? program : "(no program)");
        return 2;
    }
    cycles_a_us = board_hz() / 1000000;
    kept_load();
    if (kept_path) {
        board_power_cycle(board);
    }
    board_on_picture(board, picture, NULL);

    fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    signal(SIGPIPE, stop);
    int open = 0;
    uint32_t number = 0;        /* of the port that the host sees */
    int64_t based_us = now_us();
    uint64_t based_cycle = board_cycle(board);
    int64_t saved_us = based_us;
    while (!stopping && !board_crashed(board)) {
        const int64_t wall = now_us();
        const int64_t done = (int64_t)((board_cycle(board) - based_cycle) / cycles_a_us);
        int64_t due = wall - based_us - done;
        if (due > BEHIND_US) {
            printf("{\"event\": \"behind\", \"ms\": %.3f, \"lost_ms\": %.3f}\n", board_ms(), (double)due / 1000.0);
            fflush(stdout);
            based_us = wall;
            based_cycle = board_cycle(board);
            due = EARLY_US;
        }
        if (board_port(board) != number) {
            number = board_port(board);
            open = 0;
            if (!port_follows(number)) {
                return 1;
            }
        }
        struct pollfd polled[2] = {{.fd = 0, .events = POLLIN}, {.fd = open ? master : -1, .events = POLLIN}};
        struct timespec pause = {0, 0};
        if (due < EARLY_US) {
            pause.tv_nsec = (EARLY_US - due) * 1000;
        }
        ppoll(polled, 2, &pause, NULL);
        if (polled[0].revents & (POLLIN | POLLHUP)) {
            commands();
        }

        struct pollfd line = {.fd = master, .events = POLLIN};
        poll(&line, 1, 0);
        const int is_open = master >= 0 && (line.revents & POLLHUP) == 0;
        if (is_open != open) {
            if (dtr) {
                board_open(board, is_open);
            }
            printf("{\"event\": \"%s\", \"ms\": %.3f}\n", is_open ? "opened" : "closed", board_ms());
            fflush(stdout);
        }
        open = is_open;
        if (line.revents & POLLIN) {
            uint8_t bytes[512];
            struct termios set;
            if (tcgetattr(master, &set) == 0) {
                board_host_baud(board, speed_of(cfgetospeed(&set)));
            }
            /* A full line waits in the pseudo-terminal, as it would in a driver. */
            const ssize_t got = board_write_waiting(board) < 1024 ? read(master, bytes, sizeof bytes) : 0;
            if (got > 0) {
                board_write(board, bytes, (uint32_t)got);
            }
        }
        if (due > 0) {
            board_run(board, (uint64_t)(due < SLICE_US ? due : SLICE_US) * cycles_a_us);
        }
        to_host(open);
        if (wall - saved_us > 200000) {
            kept_save();
            saved_us = wall;
        }
    }
    kept_save();
    remove_link();
    const int crashed = board_crashed(board);
    if (crashed) {
        fprintf(stderr, "the program crashed\n");
    }
    board_free(board);
    return crashed;
}
