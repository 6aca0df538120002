/* Loaded into a redis-server (LD_PRELOAD) so that its wall clock shows what the test says.
 *
 * The file named by LOCKSTEP_CLOCK_FILE holds one 64-bit number, microseconds since 1970, and is mapped into
 * memory; zero means the real time. Only the wall clock is ours: the monotonic clock goes on, so that the
 * server's event loop works as ever. Redis reads its wall clock through these three functions (ustime in
 * util.c, and the C library's time). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { micros_per_second = 1000000, nanos_per_micro = 1000 };

static const volatile int64_t* shown_micros;

__attribute__((constructor)) static void map_clock(void) {
  const char* const path = getenv("LOCKSTEP_CLOCK_FILE");
  const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void* const page = mmap(NULL, sizeof *shown_micros, PROT_READ, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) shown_micros = page;
  close(file);
}

static struct timespec wall_clock(void) {
  const int64_t micros = shown_micros ? __atomic_load_n(shown_micros, __ATOMIC_ACQUIRE) : 0;
  struct timespec now;
  if (micros == 0) {
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  } else {
    now.tv_sec = (time_t)(micros / micros_per_second);
    now.tv_nsec = (long)(micros % micros_per_second) * nanos_per_micro;
  }
  return now;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
    return (int)syscall(SYS_clock_gettime, clock, now);
  *now = wall_clock();
  return 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  const struct timespec wall = wall_clock();
  now->tv_sec = wall.tv_sec;
  now->tv_usec = wall.tv_nsec / nanos_per_micro;
  return 0;
}

time_t time(time_t* now) {
  const time_t seconds = wall_clock().tv_sec;
  if (now) *now = seconds;
  return seconds;
}
