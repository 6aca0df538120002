// slow_disk.h: the disk of a real server, as slow as we say, and what a loss of power would leave on it.
//
// It is loaded into the server (disk_shim.c) and concerns its append-only file alone. A power loss cannot be
// made here; its effect can: a server is killed and its file cut to what had been synced.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lockstep::differential {

/// The same as struct disk of disk_shim.c.
struct DiskState {
  std::int64_t delay_micros = 0;
  std::int64_t syncs_begun = 0;
  std::int64_t durable_bytes = 0;
};

class SlowDisk {
 public:
  /// `directory` is there and may be written.
  explicit SlowDisk(const std::string& directory);
  ~SlowDisk();
  SlowDisk(const SlowDisk&) = delete;
  SlowDisk& operator=(const SlowDisk&) = delete;

  bool works() const { return state_ != nullptr; }

  /// In the child that will become the server.
  void load_into_this_process() const;

  /// How long each sync takes that begins from now on.
  void slow_down(std::chrono::milliseconds each_sync);

  std::int64_t syncs_begun() const;

  /// How much of the append-only file (its newest part) is safe.
  std::int64_t durable_bytes() const;

 private:
  std::string path_;
  DiskState* state_ = nullptr;  // shared with the server
};

}  // namespace lockstep::differential
