#include "model/world/unmentioned.h"

#include "model/client/new_words.h"
#include "sim/base/mentions.h"
#include "sim/base/verify.h"

namespace lockstep::model {

namespace {

/// Which blocks are mentioned.
class Blocks : public sim::Mentions {
 public:
  explicit Blocks(std::vector<std::string> names) : names_(std::move(names)) {}

  void text(const std::string& text) override {
    for (const std::string& name : names_)
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        digits(std::string_view(text).substr(at + name.size()));
  }
  void number(sim::WordNumber number) override {
    if (own_) taken_.insert(number.value / numbers_of_a_draw);
  }
  /// Numbers that follow are, or are not, those of the thread's process.
  void are_own(bool own) { own_ = own; }

  std::uint32_t least_free() const {
    std::uint32_t block = 1;
    while (taken_.contains(block)) ++block;
    return block;
  }

 private:
  void digits(std::string_view text) {
    std::uint64_t number = 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || number > std::numeric_limits<std::uint32_t>::max()) return;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
      taken_.insert(static_cast<std::uint32_t>(number));
    }
  }

  std::vector<std::string> names_;  // of the thread, with what is before the number
  bool own_ = false;
  std::set<std::uint32_t> taken_;
};

}  // namespace

sim::WordNumber unmentioned_number(const World& world, const Setup& setup, ThreadId thread, const Out& out) {
  const ProcessId own = setup.process_of(thread);
  std::vector<std::string> names;
  for (std::uint16_t c = 0; c < world.groups.size(); ++c)
    names.push_back(holder_name(setup, thread, world.processes[own.index()]->incarnation, c) + ":");
  Blocks blocks(std::move(names));
  for (const auto& node : world.nodes) sim::tell_mentions(node, blocks);
  for (const auto& stream : world.streams) sim::tell_mentions(stream, blocks);
  for (std::size_t p = 0; p < world.processes.size(); ++p) {
    blocks.are_own(p == own.index());
    sim::tell_mentions(world.processes[p], blocks);
    for (std::size_t n = 0; n < world.nodes.size(); ++n)
      sim::tell_mentions(world.link(sim::make_id<ProcessId>(p), sim::make_id<NodeId>(n)), blocks);
  }
  blocks.are_own(true);
  for (const Outgoing& outgoing : out.requests) sim::tell_mentions(outgoing.request, blocks);
  const std::uint32_t block = blocks.least_free();
  VERIFY(block < std::numeric_limits<std::uint32_t>::max() / numbers_of_a_draw);
  return block * numbers_of_a_draw;
}

std::vector<std::string> names_before_numbers(const World& world, const Setup& setup) {
  std::uint16_t last = 0;
  for (const auto& process : world.processes) last = std::max(last, process->incarnation);
  return names_before_numbers(setup, static_cast<std::uint16_t>(last + 1));
}

}  // namespace lockstep::model
