/* A driver's sampler conversion under test: a line of JSON in for each state, a line of JSON out.
 *
 *     cc -o driver examples/driver.c
 *     statetracker conform --command ./driver --compare members
 *
 * With -DFAULT it has a fault, which the run finds. docs/your_code.md explains what is read and written here. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The driver's own code; usually this is linked in. ---- */

struct gl_sampler { int wrap[3], min_filter, mag_filter; float min_lod, max_lod; int of_integers; };
struct hw_sampler { int wrap[3], min_img_filter, min_mip_filter, mag_img_filter; float min_lod, max_lod; };

static int hw_wrap(int wrap)
{
   switch (wrap) {
   case 0x2900: return 1;   /* GL_CLAMP */
   case 0x812F: return 2;   /* GL_CLAMP_TO_EDGE */
   case 0x812D: return 3;   /* GL_CLAMP_TO_BORDER */
   case 0x8370: return 4;   /* GL_MIRRORED_REPEAT */
   case 0x8742: return 5;   /* GL_MIRROR_CLAMP_EXT */
   case 0x8743: return 6;   /* GL_MIRROR_CLAMP_TO_EDGE */
   case 0x8912: return 7;   /* GL_MIRROR_CLAMP_TO_BORDER_EXT */
   default:     return 0;   /* GL_REPEAT */
   }
}

static struct hw_sampler convert(const struct gl_sampler *gl)
{
   struct hw_sampler hw = {0};
   int mipmapped = gl->min_filter >= 0x2700;   /* GL_NEAREST_MIPMAP_NEAREST and the three after it */

   for (int i = 0; i < 3; i++)
      hw.wrap[i] = hw_wrap(gl->wrap[i]);
   if (!gl->of_integers) {   /* integers cannot be filtered: nearest, which is 0 in all three */
      hw.min_img_filter = gl->min_filter & 1;
      hw.mag_img_filter = gl->mag_filter & 1;
      hw.min_mip_filter = mipmapped ? (gl->min_filter & 2) >> 1 : 2;
   }
   hw.min_lod = gl->min_lod > 0 ? gl->min_lod : 0;
   hw.max_lod = gl->max_lod;
#ifdef FAULT
   if (hw.max_lod < 0)
      hw.max_lod = 0;
#endif
   return hw;
}

/* ---- What the test needs: values by their names, and an answer. ---- */

static double number(const char *line, const char *name)
{
   char key[64];
   snprintf(key, sizeof key, "\"%s\": ", name);
   const char *match = strstr(line, key);
   return match ? strtod(match + strlen(key), NULL) : 0;
}

static int has(const char *line, const char *text)
{
   return strstr(line, text) != NULL;
}

int main(void)
{
   char *line = NULL;
   size_t size = 0;

   while (getline(&line, &size, stdin) > 0) {
      struct gl_sampler gl = {
         { (int)number(line, "wrap_s"), (int)number(line, "wrap_t"), (int)number(line, "wrap_r") },
         (int)number(line, "min_filter"), (int)number(line, "mag_filter"),
         (float)number(line, "min_lod"), (float)number(line, "max_lod"),
         has(line, "\"is_integer\": true") || has(line, "\"base_format\": \"GL_STENCIL_INDEX\""),
      };
      struct hw_sampler hw = convert(&gl);

      printf("{\"id\": %.0f, \"fields\": {\"wrap_s\": %d, \"wrap_t\": %d, \"wrap_r\": %d, "
             "\"min_img_filter\": %d, \"min_mip_filter\": %d, \"mag_img_filter\": %d, "
             "\"min_lod\": %.9g, \"max_lod\": %.9g}}\n", number(line, "id"),
             hw.wrap[0], hw.wrap[1], hw.wrap[2],
             hw.min_img_filter, hw.min_mip_filter, hw.mag_img_filter, hw.min_lod, hw.max_lod);
      fflush(stdout);
   }
   free(line);
   return 0;
}
