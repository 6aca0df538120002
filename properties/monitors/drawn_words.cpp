#include "properties/monitors/drawn_words.h"

#include "model/client/process.h"

namespace lockstep::properties {

std::vector<std::string> names_before_numbers(const model::World& world, const model::Setup& setup) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < setup.threads.size(); ++t) {
    if (!setup.threads[t].draws_numbers) continue;
    const auto thread = sim::make_id<model::ThreadId>(t);
    const std::uint16_t incarnation =  // what a process sent before it began anew may be stored
        world.processes[setup.process_of(thread).index()]->incarnation;
    for (std::uint16_t i = 0; i <= incarnation; ++i)
      for (std::uint16_t c = 0; c < world.groups.size(); ++c)
        names.push_back(model::holder_name(setup, thread, i, c) + ":");
  }
  return names;
}

}  // namespace lockstep::properties
