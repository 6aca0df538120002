// instants_watch.h: whether servers treat all instants alike.
//
// The normal form of a state tells instants of the clients' clocks from now on (model/world/rebasing.h). That
// is right only if nothing that servers do depends on what time it is: with f a request served, and g a move
// of all instants in the request and in what is stored, f(g x) = g f(x). A script that compares and adds
// instants keeps to it; one that stores `now` elsewhere, or looks at its digits, does not.
//
// So each request that a search lets a server carry out, and that has to do with instants, is carried out
// twice more, one millisecond and about a day later, once for each server and request. No finite number of
// moves would prove the law for a script of any kind; these find what is not made for the purpose. The first
// step that does not keep to it is remembered, and `now` counts in the identity of states.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lua/engine/engine.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "properties/check/drift.h"
#include "properties/check/served_again.h"
#include "sim/search/seen_set.h"

namespace lockstep::properties {

class InstantsWatch {
 public:
  /// Both must outlive it.
  InstantsWatch(const model::Setup& setup, lua::Engine& engine);

  /// Looks at the request that a move is about to deliver.
  void before(const model::World& world, const model::Move& move);

  /// "the script in the role `fair-lock`"; nothing as long as none was seen.
  const std::optional<std::string>& culprit() const { return culprit_; }
  const Drift& drift() const { return drift_; }
  /// Says what another one found.
  void say(std::optional<std::string> culprit) { culprit_ = std::move(culprit); }

 private:
  struct Given;

  void look_at(const model::World& world, model::LinkId link, model::ConnectionId connection,
               const model::Request& request);
  void note_drift(const model::World& world, model::NodeId node, const model::Request& request);
  bool is_alike(const Given& given, sim::Duration by) const;
  Answered result_of(const Given& given) const;

  const model::Setup& setup_;
  lua::Engine& engine_;
  model::InstantKeys such_;
  sim::DigestSet met_;
  std::optional<std::string> culprit_;
  Drift drift_;
};

}  // namespace lockstep::properties
