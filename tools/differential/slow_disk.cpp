#include "tools/differential/slow_disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::differential {

SlowDisk::SlowDisk(const std::string& directory) : path_(directory + "/disk") {
  const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (::ftruncate(file, sizeof(DiskState)) == 0) {
    void* const page = ::mmap(nullptr, sizeof(DiskState), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) state_ = static_cast<DiskState*>(page);
  }
  ::close(file);
}

SlowDisk::~SlowDisk() {
  if (state_) ::munmap(state_, sizeof(DiskState));
}

void SlowDisk::load_into_this_process() const {
  ::setenv("LOCKSTEP_DISK_FILE", path_.c_str(), 1);
  ::setenv("LD_PRELOAD", LOCKSTEP_DISK_SHIM, 1);
}

void SlowDisk::slow_down(std::chrono::milliseconds each_sync) {
  __atomic_store_n(&state_->delay_micros, std::chrono::microseconds(each_sync).count(), __ATOMIC_SEQ_CST);
}

std::int64_t SlowDisk::syncs_begun() const { return __atomic_load_n(&state_->syncs_begun, __ATOMIC_SEQ_CST); }

std::int64_t SlowDisk::durable_bytes() const {
  return __atomic_load_n(&state_->durable_bytes, __ATOMIC_SEQ_CST);
}

}  // namespace lockstep::differential
