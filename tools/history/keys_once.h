// keys_once.h: looks on while a line of JSON is parsed, for a member that stands twice in one object.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::tools {

template <class Json>
class KeysOnce {
 public:
  bool operator()(int, typename Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) add(parsed.template get<std::string>());
    return true;
  }
  /// The first such.
  const std::optional<std::string>& twice() const { return twice_; }

 private:
  void add(const std::string& name) {
    if (!open_.back().insert(name).second && !twice_) twice_ = name;
  }

  std::vector<std::set<std::string>> open_;
  std::optional<std::string> twice_;
};

}  // namespace lockstep::tools
