// stages.h: which stages a machine declares for its calls, by name, and in which of them a call is.
//
// The names are those of the machine's own states, in the order in which its protocol is told; pictures are made
// from them. A machine without a row in stages.cpp tells nothing of its calls.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "model/client/process.h"
#include "sim/base/type_name.h"

namespace lockstep::model {

struct Stages {
  std::string_view kind;  // of the box that holds the state of its calls
  std::span<const std::string_view> names;
  std::size_t (*at)(const Call& call) = nullptr;  // of a call of this machine
};

template <class Variant>
struct NamesOf;
template <class... States>
struct NamesOf<std::variant<States...>> {
  static constexpr std::array<std::string_view, sizeof...(States)> all{sim::type_name<States>()...};
};

/// Of a machine whose state is a variant, its member `at`.
template <class State>
constexpr Stages stages_in() {
  return {State::kind, NamesOf<decltype(State::at)>::all,
          [](const Call& call) { return call.state.get<State>().at.index(); }};
}

/// Of the machine whose call it is; nullptr if it tells none.
const Stages* stages_of(const Call& call);

}  // namespace lockstep::model
