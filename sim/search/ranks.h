// ranks.h: the door to other processes that search together, perhaps on other machines.
//
// All meet in these calls, in the same order: who calls one waits until everybody has. A rank that dies ends
// all of them (tools/ranks).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep::sim {

class Ranks {
 public:
  virtual ~Ranks() = default;

  /// How many there are, and which of them this is, from 0.
  virtual std::size_t count() const = 0;
  virtual std::size_t mine() const = 0;

  /// Sends `out[r]` to rank r, and gives what each sent here.
  virtual std::vector<std::string> exchange(const std::vector<std::string>& out) = 0;

  /// What each rank says, heard by all.
  std::vector<std::string> tell_all(const std::string& word) {
    return exchange(std::vector<std::string>(count(), word));
  }
};

/// The only one.
class AloneRank : public Ranks {
 public:
  std::size_t count() const override { return 1; }
  std::size_t mine() const override { return 0; }
  std::vector<std::string> exchange(const std::vector<std::string>& out) override { return out; }
};

}  // namespace lockstep::sim
