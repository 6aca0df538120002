/* A module for redis-server: VCLOCK milliseconds sets the wall clock that clock_shim.c shows.
 *
 * As a command, a step of the clock travels in the pipeline among the others and takes effect for the very
 * next one. The few functions of the module interface that it needs are declared here (redismodule.h of
 * Redis 7.0 names them); a context begins with the function that finds them. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { module_ok = 0, module_error = 1, interface_version = 1, micros_per_milli = 1000 };

struct context;
struct words;
typedef int handler(struct context*, struct words**, int);

static void (*set_attributes)(struct context*, const char*, int, int);
static int (*create_command)(struct context*, const char*, handler*, const char*, int, int, int);
static int (*to_integer)(const struct words*, long long*);
static int (*reply_integer)(struct context*, long long);
static int (*reply_error)(struct context*, const char*);

static volatile int64_t* shown_micros;

static int set_clock(struct context* context, struct words** words, int count) {
  long long milliseconds;
  if (count != 2 || to_integer(words[1], &milliseconds) != module_ok)
    return reply_error(context, "ERR VCLOCK takes milliseconds since 1970");
  __atomic_store_n(shown_micros, milliseconds * micros_per_milli, __ATOMIC_RELEASE);
  return reply_integer(context, milliseconds);
}

static int map_clock(void) {
  const char* const path = getenv("LOCKSTEP_CLOCK_FILE");
  const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return module_error;
  void* const page = mmap(NULL, sizeof *shown_micros, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) return module_error;
  shown_micros = page;
  return module_ok;
}

int RedisModule_OnLoad(struct context* context, struct words** words, int count);

int RedisModule_OnLoad(struct context* context, struct words** words, int count) {
  (void)words;
  (void)count;
  int (*find)(const char*, void*);
  memcpy(&find, context, sizeof find);
  find("RedisModule_SetModuleAttribs", &set_attributes);
  find("RedisModule_CreateCommand", &create_command);
  find("RedisModule_StringToLongLong", &to_integer);
  find("RedisModule_ReplyWithLongLong", &reply_integer);
  find("RedisModule_ReplyWithError", &reply_error);
  set_attributes(context, "vclock", 1, interface_version);
  if (map_clock() != module_ok) return module_error;
  return create_command(context, "vclock", set_clock, "fast", 0, 0, 0);
}
