// renaming.h: the same situation with interchangeable processes called by each other's names.
//
// A permutation says that process i is called p[i] instead; its threads are called as the threads of p[i] in
// the same places. Everything that holds the index of a process or thread, or a holder name with its client
// id, is renamed: components change places, ids inside them and in requests under way change, and so do the
// names inside Redis.
#pragma once

#include <string>
#include <vector>

#include "model/world/world.h"
#include "properties/monitors/monitors.h"
#include "sim/search/symmetry.h"

namespace lockstep::properties {

class Renaming {
 public:
  Renaming(const Setup& setup, sim::Permutation permutation);

  model::World world(const model::World& original) const;
  Monitors monitors(const Monitors& original) const;

 private:
  model::ProcessId of(model::ProcessId process) const;
  ThreadId of(ThreadId thread) const { return threads_[thread.index()]; }
  std::string of(const std::string& text) const;
  model::Reply of(const model::Reply& reply) const;
  redis::Value of(redis::Value value) const;
  void rename(std::vector<ThreadId>& threads) const;
  void rename(model::Request& request) const;
  redis::Node node(redis::Node original) const;
  redisson::Process process(redisson::Process original) const;

  const Setup& setup_;
  std::vector<std::uint16_t> processes_;  // old index → new
  std::vector<ThreadId> threads_;         // old id → new
  std::size_t shortest_id_ = ~std::size_t{0};
};

/// What a process's situation looks like without anybody's name in it.
sim::Digest signature_of(const model::World& world, const Monitors& monitors, const Setup& setup,
                         model::ProcessId process);

}  // namespace lockstep::properties
