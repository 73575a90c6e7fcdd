/* The same frame in C, in the shape that a C driver has: the yardstick of frames.py.
 *
 * A sampler object keeps its part of the 36-byte record from the moment a parameter is set. A draw with another material
 * copies the records of its units, applies what depends on the textures, looks each up in a hash table, and calls the
 * driver's bind through a pointer. Nothing is remembered of a material.
 *
 *     cc -O2 -o anchor anchor.c && ./anchor 300 2        300 materials of 2 units: nanoseconds a draw, best of 25 rounds
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLERS = 64, MOST_UNITS = 32, BUCKETS = 8192, ROUNDS = 25, DRAWS = 10000 };

typedef struct { uint32_t w[9]; } record; /* word 0, lod bias, min lod, max lod, border colour, its format */
typedef struct { record kept; float bias; int reads_border, compares; } sampler;
typedef struct { int format, is_integer, is_depth, is_rect, linear, swizzle[4]; } texture;
typedef struct state { struct state *next; uint32_t hash; record r; void *handle; } state;

static state *table[BUCKETS];
static void *bound[MOST_UNITS];
static volatile unsigned calls;

static void driver_bind(int count, void **handles)
{
    memcpy(bound, handles, count * sizeof *handles);
    calls++;
}

static void (*volatile bind)(int, void **) = driver_bind;

static void convert(const sampler *s, const texture *t, record *out)
{
    *out = s->kept;
    memcpy(&out->w[1], &s->bias, 4);
    if (t->is_rect)
        out->w[0] |= 1u << 17;
    if (t->is_integer || !t->linear)
        out->w[0] &= ~((1u << 9) | (3u << 10) | (1u << 12));
    if (s->reads_border) {
        record colour = *out;
        for (int i = 0; i < 4; i++)
            out->w[4 + i] = colour.w[4 + t->swizzle[i]];
        out->w[8] = t->format;
        out->w[0] |= (uint32_t)t->is_integer << 24;
    } else
        memset(&out->w[4], 0, 20);
    if (!(t->is_depth && s->compares))
        out->w[0] &= ~(1u << 13);
}

static void *find(const record *r)
{
    uint32_t h = 0;
    for (int i = 0; i < 9; i++)
        h = (h << 5 | h >> 27) ^ r->w[i];
    h ^= h >> 13;
    for (state *s = table[h % BUCKETS]; s; s = s->next)
        if (s->hash == h && !memcmp(&s->r, r, sizeof *r))
            return s->handle;
    state *s = malloc(sizeof *s);
    *s = (state){table[h % BUCKETS], h, *r, NULL};
    s->handle = s;
    table[h % BUCKETS] = s;
    return s->handle;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static uint32_t seed = 12345;

static uint32_t any(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

int main(int argc, char **argv)
{
    int materials = argc > 1 ? atoi(argv[1]) : 300, units = argc > 2 ? atoi(argv[2]) : 2;
    if (materials < 1 || units < 1 || units > MOST_UNITS)
        return fprintf(stderr, "usage: anchor MATERIALS UNITS, with 1 to %d units\n", MOST_UNITS), 2;
    static sampler s[SAMPLERS];
    static texture t[SAMPLERS];
    for (int i = 0; i < SAMPLERS; i++) {
        s[i].kept.w[0] = any(1 << 23) & ~(1u << 17);
        s[i].bias = i / 8.f;
        s[i].reads_border = i % 4 == 0;
        s[i].compares = i % 5 == 0;
        for (int j = 2; j < 8; j++)
            s[i].kept.w[j] = i * 7 + j;
        t[i] = (texture){i, i % 11 == 0, i % 6 == 0, 0, i % 7 != 0, {0, 1, 2, 3}};
    }
    uint8_t *used = malloc(2 * materials * units);
    int *order = malloc(DRAWS * sizeof *order);
    for (int i = 0; i < 2 * materials * units; i++)
        used[i] = any(SAMPLERS);
    for (int i = 0; i < DRAWS; i++)
        order[i] = any(materials);
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int draw = 0; draw < DRAWS; draw++) {
            const uint8_t *pair = used + 2 * units * order[draw];
            void *handles[MOST_UNITS];
            record r;
            for (int unit = 0; unit < units; unit++, pair += 2) {
                convert(&s[pair[0]], &t[pair[1]], &r);
                handles[unit] = find(&r);
            }
            bind(units, handles);
        }
        double each = (now() - start) / DRAWS;
        best = each < best ? each : best;
    }
    printf("%.2f\n", best);
    return 0;
}
