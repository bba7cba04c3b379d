/* The least device: a reader on a BBC micro:bit (nRF51, Cortex-M0) or on QEMU's, with nothing but the core.
 *
 * Its serial port is the board's UART at 115200 baud; the kept numbers lie in the last four pages of flash, which bear
 * some ten thousand writes: enough to learn by, and none of a table's evenings. A press of button A is a card that
 * passed and was not read. README.md says how it is built and run.
 */
#include "tdp_shoe.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

enum { GPIO = 0x50000000, UART = 0x40002000, TIMER = 0x40008000, RANDOM = 0x4000D000, FLASH = 0x4001E000 };

enum { PLACES_AT = 0x3F000, PAGE = 1024, BUTTON_A = 17, MICROSECONDS = 1000 };

static struct tdp_shoe shoe;
static const struct tdp_identity IDENTITY = {2, true, "Bare reader", "BARE-0001", "1.0", NULL};

/* ---- the six functions */

void tdp_port_send(struct tdp_link *link, const uint8_t *data, size_t length)
{
    (void)link;
    for (size_t index = 0; index < length; index++) {
        REGISTER(UART + 0x11C) = 0;
        REGISTER(UART + 0x51C) = data[index];
        while (REGISTER(UART + 0x11C) == 0) { /* a device for a table puts bytes into a buffer instead */
        }
    }
}

uint32_t tdp_port_now(const struct tdp_link *link)
{
    static uint32_t last_us;
    static uint32_t rest_us;
    static uint32_t now_ms;
    (void)link;
    REGISTER(TIMER + 0x040) = 1;
    const uint32_t now_us = REGISTER(TIMER + 0x540);
    rest_us += now_us - last_us;
    last_us = now_us;
    while (rest_us >= MICROSECONDS) {
        rest_us -= MICROSECONDS;
        now_ms++;
    }
    return now_ms;
}

bool tdp_port_read(struct tdp_link *link, uint8_t place, void *kept, size_t length)
{
    (void)link;
    memcpy(kept, (const void *)(PLACES_AT + (uint32_t)place * PAGE), length);
    return true;
}

static void set_flash(uint32_t mode)
{
    REGISTER(FLASH + 0x504) = mode;
    while (REGISTER(FLASH + 0x400) == 0) {
    }
}

void tdp_port_write(struct tdp_link *link, uint8_t place, const void *kept, size_t length)
{
    const uint32_t at = PLACES_AT + (uint32_t)place * PAGE;
    (void)link;
    set_flash(2);
    REGISTER(FLASH + 0x508) = at;
    set_flash(1);
    for (size_t index = 0; index < length; index += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)kept + index, sizeof word);
        REGISTER(at + index) = word;
        set_flash(1);
    }
    set_flash(0);
}

uint32_t tdp_port_draw(struct tdp_link *link)
{
    uint32_t drawn = 0;
    (void)link;
    REGISTER(RANDOM + 0x000) = 1;
    for (unsigned byte = 0; byte < 4; byte++) {
        REGISTER(RANDOM + 0x100) = 0;
        while (REGISTER(RANDOM + 0x100) == 0) {
        }
        drawn = (drawn << 8) | (REGISTER(RANDOM + 0x508) & 255u);
    }
    return drawn;
}

void tdp_port_set(struct tdp_link *link)
{
    (void)link; /* it has no lock */
}

/* ---- the loop */

static void listen(void)
{
    while (REGISTER(UART + 0x108) != 0) {
        REGISTER(UART + 0x108) = 0;
        const uint8_t byte = (uint8_t)REGISTER(UART + 0x518);
        tdp_receive(&shoe.link, &byte, 1);
    }
}

/* Where nothing is wired to the pin it reads as pressed, and never as let go. */
static void look_at_button(void)
{
    static bool was_free;
    const bool is_free = ((REGISTER(GPIO + 0x510) >> BUTTON_A) & 1u) != 0;
    if (was_free && !is_free) {
        tdp_shoe_passed(&shoe, 0);
    }
    was_free = is_free;
}

static void begin(void)
{
    REGISTER(TIMER + 0x508) = 3; /* 32 bits of microseconds */
    REGISTER(TIMER + 0x510) = 4;
    REGISTER(TIMER + 0x000) = 1;
    REGISTER(GPIO + 0x700 + 4 * 24) = 3;
    REGISTER(UART + 0x50C) = 24; /* pins of the board's USB interface */
    REGISTER(UART + 0x514) = 25;
    REGISTER(UART + 0x524) = 0x01D7E000;
    REGISTER(UART + 0x500) = 4;
    REGISTER(UART + 0x008) = 1;
    REGISTER(UART + 0x000) = 1;
    tdp_shoe_start(&shoe, &IDENTITY, TDP_POWER_ON, false);
}

int main(void)
{
    begin();
    for (;;) {
        listen();
        look_at_button();
        tdp_poll(&shoe.link);
    }
}

/* ---- in place of a C library and its start */

void *memcpy(void *to, const void *from, size_t length)
{
    for (size_t index = 0; index < length; index++) {
        ((volatile uint8_t *)to)[index] = ((const uint8_t *)from)[index];
    }
    return to;
}

void *memset(void *at, int value, size_t length)
{
    for (size_t index = 0; index < length; index++) {
        ((volatile uint8_t *)at)[index] = (uint8_t)value;
    }
    return at;
}

extern uint32_t bss_begins[];
extern uint32_t bss_ends[];
extern uint32_t stack_begins[];

static void reset(void)
{
    for (uint32_t *word = bss_begins; word < bss_ends; word++) {
        *word = 0;
    }
    main();
}

/* Top of the stack, reset; whatever else comes starts anew. */
__attribute__((section(".vectors"), used)) static const void *const VECTORS[48] = {
    stack_begins, (const void *)reset, (const void *)reset, (const void *)reset,
};
