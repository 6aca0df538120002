#include "scenarios/format/print_json.h"

#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/format/normalise.h"
#include "sim/base/verify.h"

namespace lockstep::scenarios {

namespace {

using PrintedJson = nlohmann::ordered_json;

PrintedJson printed_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    PrintedJson object = PrintedJson::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = printed_json(value);
    return object;
  }
  if (const toml::array* array = node.as_array()) {
    PrintedJson list = PrintedJson::array();
    for (const toml::node& value : *array) list.push_back(printed_json(value));
    return list;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return *number;
  if (const auto yes = node.value_exact<bool>()) return *yes;
  const auto* date = node.as_date_time();
  VERIFY(date != nullptr && "scenarios have no fractions");
  std::ostringstream text;
  text << date->get();
  return text.str();
}

}  // namespace

std::string normalised_json(const model::Setup& setup) {
  return printed_json(toml::parse(normalised(setup))).dump(2) + "\n";
}

}  // namespace lockstep::scenarios
