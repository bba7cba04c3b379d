/* The core's hash by itself: lines of `sha - MESSAGE` or `hmac KEY MESSAGE` in hex, `-` for nothing; each has its digest. */
#include <stdio.h>
#include <string.h>

#include "tdp_sha256.c"

enum { MESSAGE_MAX = 4096 };

static size_t bytes_of(const char *hex, uint8_t *bytes)
{
    size_t length = 0;
    unsigned byte = 0;
    while (sscanf(hex + 2 * length, "%2x", &byte) == 1) {
        bytes[length++] = (uint8_t)byte;
    }
    return length;
}

static void answer(const uint8_t *digest)
{
    for (size_t index = 0; index < TDP_DIGEST; index++) {
        printf("%02x", digest[index]);
    }
    putchar('\n');
}

int main(void)
{
    static char verb[8];
    static char key_hex[2 * MESSAGE_MAX];
    static char message_hex[2 * MESSAGE_MAX + 1];
    static uint8_t message[MESSAGE_MAX];
    while (scanf("%7s %8000s %8191s", verb, key_hex, message_hex) == 3) {
        uint8_t secret[TDP_SECRET] = {0};
        uint8_t digest[TDP_DIGEST];
        struct tdp_key key;
        const size_t length = bytes_of(message_hex, message);
        if (strcmp(verb, "sha") == 0) {
            memcpy(key.inner, START, sizeof key.inner);
            finish(key.inner, message, length, 0, digest);
        } else {
            bytes_of(key_hex, secret);
            tdp_key_of(&key, secret);
            tdp_hmac(&key, message, length, digest);
        }
        answer(digest);
    }
    return 0;
}
