// sections.h: the sections of INFO (Redis server.c, genRedisInfoString), each with its heading.
//
// Every field of redis-server 7.0.15 is there, in its order. What depends on the machine, the allocator or
// the moment is 0, or what a server shows that has just been started.
#pragma once

#include <string>
#include <string_view>

#include "model/redis/call.h"

namespace lockstep::redis::commands {

/// Lines of a section while it is written.
class Section {
 public:
  explicit Section(std::string_view title) : text_("# " + std::string(title) + "\r\n") {}

  Section& add(std::string_view field, std::string_view value) {
    text_.append(field).append(":").append(value).append("\r\n");
    return *this;
  }
  Section& add(std::string_view field, std::int64_t value) { return add(field, std::to_string(value)); }
  Section& zeros(std::string_view fields);

  std::string text() const { return text_; }

 private:
  std::string text_;
};

/// Bytes as INFO shows them to people: "943.50K".
std::string human_bytes(std::int64_t bytes);

std::string memory_section(Call& call);
std::string persistence_section(Call& call);
std::string stats_section(Call& call);


}  // namespace lockstep::redis::commands
