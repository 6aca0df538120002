/* Loaded into a redis-server (LD_PRELOAD) so that its disk is as slow as the test says, and tells how much of
 * the append-only file would outlive a loss of power.
 *
 * The file named by LOCKSTEP_DISK_FILE holds struct disk and is mapped into memory. Redis syncs its log with
 * fdatasync on Linux (config.h, redis_fsync), from a thread of its own under appendfsync everysec. What is
 * durable is what the log held when the last sync that has ended began. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same as DiskState of slow_disk.h. */
struct disk {
  int64_t delay_micros;
  int64_t syncs_begun;
  int64_t durable_bytes;
};

static struct disk* disk;

__attribute__((constructor)) static void map_disk(void) {
  const char* const path = getenv("LOCKSTEP_DISK_FILE");
  const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void* const page = mmap(NULL, sizeof *disk, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) disk = page;
  close(file);
}

/* The size of the log if that is what the descriptor is open on, otherwise -1. */
static int64_t log_size(int file) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  struct stat status;
  if (length <= 0 || fstat(file, &status) != 0) return -1;
  path[length] = '\0';
  return strstr(path, ".incr.aof") ? (int64_t)status.st_size : -1;
}

/* The log is not really synced: how long that takes would depend on this machine's disk. */
int fdatasync(int file) {
  const int64_t size = disk ? log_size(file) : -1;
  if (size < 0) return (int)syscall(SYS_fdatasync, file);
  __atomic_add_fetch(&disk->syncs_begun, 1, __ATOMIC_SEQ_CST);
  const int64_t delay = __atomic_load_n(&disk->delay_micros, __ATOMIC_SEQ_CST);
  if (delay > 0) usleep((useconds_t)delay);
  __atomic_store_n(&disk->durable_bytes, size, __ATOMIC_SEQ_CST);
  return 0;
}
