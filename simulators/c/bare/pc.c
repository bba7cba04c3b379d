/* A reader on a PC under Linux: the least device of this core on an operating system.
 *
 *   reader MEMORY              the factory's step, once: a file with kept numbers, all 0
 *   reader MEMORY pty LINK     the device at a new pseudo-terminal, whose other end gets the name LINK
 *   reader MEMORY tty PORT     the device at a serial port
 *
 * Hands type lines: `card 3A` (suit and rank as in section 11, 00 not read), `fail 128` and `mend 128` (any code of a
 * reader error), `event` (a card, or behind the lock an error), `power` (off and on), `forget` (the same, its numbers
 * spoilt). A device for a table says `simulated` 0, and its sensors are in the place of these lines.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 600
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tdp_shoe.h"

enum { OFTEN_MS = 50, BUFFER = 4096, CODES = 256 };

static struct tdp_shoe shoe;
static const struct tdp_identity IDENTITY = {2, true, "PC reader", "PC-0001", "1.0", NULL};
static int memory, line;
static uint8_t out[BUFFER];
static size_t waits;
static bool stands[CODES]; /* errors of the reader, by code: the hardware's, so a start does not end them */

static void fail_unless(bool is_well, const char *what)
{
    if (!is_well) {
        perror(what);
        exit(1);
    }
}

/* ---- the six functions */

void tdp_port_send(struct tdp_link *link, const uint8_t *data, size_t length)
{
    (void)link;
    if (length <= sizeof out - waits) { /* whole, or not at all */
        memcpy(out + waits, data, length);
        waits += length;
    }
}

uint32_t tdp_port_now(const struct tdp_link *link)
{
    struct timespec now;
    (void)link;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u);
}

bool tdp_port_read(struct tdp_link *link, uint8_t place, void *kept, size_t length)
{
    (void)link;
    return pread(memory, kept, length, (off_t)place * TDP_KEPT_MAX) == (ssize_t)length;
}

void tdp_port_write(struct tdp_link *link, uint8_t place, const void *kept, size_t length)
{
    (void)link;
    const bool is_written = pwrite(memory, kept, length, (off_t)place * TDP_KEPT_MAX) == (ssize_t)length;
    fail_unless(is_written && fdatasync(memory) == 0, "memory"); /* a card that is not stored must not be told */
}

uint32_t tdp_port_draw(struct tdp_link *link)
{
    uint32_t drawn;
    (void)link;
    fail_unless(getrandom(&drawn, sizeof drawn, 0) == (ssize_t)sizeof drawn, "randomness");
    return drawn;
}

void tdp_port_set(struct tdp_link *link)
{
    static int was = -1; /* in place of a lock's magnet, a line at each change */
    const int is_locked = ((const struct tdp_shoe *)link)->locked;
    if (is_locked != was) {
        puts(is_locked ? "locked" : "open");
        fflush(stdout);
    }
    was = is_locked;
}

/* ---- hands */

/* The core tells one error at a time. Asked again in each turn of the loop, it tells the next when one is mended. */
static void tell_errors(void)
{
    if (shoe.error != 0 && !stands[shoe.error]) {
        tdp_shoe_mended(&shoe);
    }
    for (unsigned code = 1; code < CODES; code++) {
        if (stands[code]) {
            tdp_shoe_failed(&shoe, (uint8_t)code); /* nothing, while it tells another */
        }
    }
}

static void start(void)
{
    waits = 0;
    tdp_shoe_start(&shoe, &IDENTITY, TDP_POWER_ON, true);
}

static void pass(unsigned card)
{
    if (!shoe.locked) {
        tdp_shoe_passed(&shoe, (uint8_t)card);
    }
}

static void obey(const char *words)
{
    static const struct tdp_kept SPOILT;
    unsigned number = 0;
    if (sscanf(words, "card %x", &number) == 1) {
        pass(number);
    } else if (strncmp(words, "event", 5) == 0) {
        stands[4] ^= shoe.locked;
        pass(0x3A);
    } else if (sscanf(words, "fail %u", &number) == 1 && number < CODES) {
        stands[number] = true;
    } else if (sscanf(words, "mend %u", &number) == 1 && number < CODES) {
        stands[number] = false;
    } else if (strncmp(words, "power", 5) == 0) {
        start();
    } else if (strncmp(words, "forget", 6) == 0) {
        tdp_port_write(&shoe.link, TDP_NUMBERS_AT, &SPOILT, sizeof SPOILT);
        tdp_port_write(&shoe.link, TDP_NUMBERS_AT + 1, &SPOILT, sizeof SPOILT);
        start();
    }
}

/* False at the end of the input: the device goes on without hands. */
static bool hear_hands(void)
{
    static char words[80];
    static size_t length;
    char one;
    if (read(STDIN_FILENO, &one, 1) != 1) {
        return false;
    }
    words[length] = one;
    if (length + 1 < sizeof words) {
        length++;
    }
    if (one == '\n') {
        words[length] = '\0';
        obey(words);
        length = 0;
    }
    return true;
}

/* ---- the line */

static void make_raw(int end)
{
    struct termios settings;
    fail_unless(tcgetattr(end, &settings) == 0, "line");
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD; /* [2.1] */
    cfsetispeed(&settings, B115200);
    cfsetospeed(&settings, B115200);
    fail_unless(tcsetattr(end, TCSANOW, &settings) == 0, "line");
}

static int new_terminal(const char *name)
{
    const int end = posix_openpt(O_RDWR | O_NOCTTY);
    fail_unless(end >= 0 && grantpt(end) == 0 && unlockpt(end) == 0, "pseudo-terminal");
    const int other = open(ptsname(end), O_RDWR | O_NOCTTY); /* stays open: else the port goes with its first host */
    fail_unless(other >= 0, "pseudo-terminal");
    make_raw(other);
    char before;
    if (readlink(name, &before, 1) >= 0) {
        unlink(name); /* of the run before */
    }
    fail_unless(symlink(ptsname(end), name) == 0, name);
    return end;
}

static void open_line(const char *how, const char *name)
{
    line = strcmp(how, "pty") == 0 ? new_terminal(name) : open(name, O_RDWR | O_NOCTTY);
    fail_unless(line >= 0 && fcntl(line, F_SETFL, O_NONBLOCK) == 0, name);
    if (strcmp(how, "pty") != 0) {
        make_raw(line);
    }
}

static void talk(void)
{
    uint8_t in[BUFFER];
    const ssize_t came = read(line, in, sizeof in);
    if (came > 0) {
        tdp_receive(&shoe.link, in, (size_t)came);
    }
    const ssize_t went = waits > 0 ? write(line, out, waits) : 0;
    if (went > 0) {
        waits -= (size_t)went;
        memmove(out, out + went, waits);
    }
}

int main(int count, char **words)
{
    if (count != 2 && count != 4) {
        fputs("reader MEMORY [pty LINK | tty PORT]\n", stderr);
        return 2;
    }
    memory = open(words[1], O_RDWR | (count == 2 ? O_CREAT | O_EXCL : 0), 0600);
    fail_unless(memory >= 0, words[1]);
    if (count == 2) {
        tdp_first_start(&shoe.link);
        return 0;
    }
    open_line(words[2], words[3]);
    start();
    struct pollfd ends[] = {{line, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    while ((ends[0].revents & (POLLERR | POLLNVAL)) == 0) {
        const uint32_t due = tdp_due(&shoe.link);
        ends[0].events = (short)(waits > 0 ? POLLIN | POLLOUT : POLLIN);
        poll(ends, 2, due < OFTEN_MS ? (int)due : OFTEN_MS);
        talk();
        if (ends[1].revents != 0 && !hear_hands()) {
            ends[1].fd = -1;
        }
        tell_errors(); /* behind each line of hands: an error that comes and goes is told twice */
        tdp_poll(&shoe.link);
    }
    return 1;
}
