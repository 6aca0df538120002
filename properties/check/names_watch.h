// names_watch.h: whether servers treat interchangeable names alike.
//
// Symmetry takes two situations for one if they differ only in which of several equal actors is which. That
// is right only if nothing looks into names: with f a step of a server and g an exchange of names,
// f(g x) = g f(x). What clients and the world do follows from ids and keeps to it; a script may not. It may
// compare two holders with `<`, cut a holder into pieces, or keep members of equal scores, which lie in the
// order of their names.
//
// Names of nodes are in nothing that a server has or is given, and equal nodes do the same: to exchange them
// is no part of this.
//
// So each step that servers take in a search (a request served, effects applied, keys that die together) is
// repeated, once for each server and input: under the generators of all exchanges, again from each situation
// that these lead to, until none is new. Every exchange is then covered for this step and all its images. The
// first step whose result is not the exchanged one is named, and symmetry must not be used. Where all
// exchanges are few, each of them is tried on the step itself instead: f(g x) = g f(x) for every g says the
// same of all images of x, since f(g h x) = g h f(x) = g f(h x).
//
// Fewer images will not do. That f(g x) = g f(x) for the generators g at x alone says nothing of their
// products: a script that knows one order of a queue among n! is only met in that order. A step that names k
// actors has up to n!/(n-k)! images, so there is an end to it: when the images outnumber the steps of the
// search by far, it is said, and the search begins again with smaller groups of actors
// (Checked::Options::alike_max). Those of each group are exchanged as before, which is symmetry of a subgroup
// and as sound.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lua/engine/engine.h"
#include "model/client/request.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "sim/search/seen_set.h"

namespace lockstep::properties {

using model::Setup;
using sim::Duration;

class NamesWatch {
 public:
  /// Both must outlive it. `with_now`: what a step does may depend on what time it is. One of so many
  /// `watches`, each of which looks at a part of the steps, has its part of the time: as long as each has
  /// time, one alone would have had it at every moment.
  NamesWatch(const Setup& setup, lua::Engine& engine, bool with_now, std::size_t alike_max,
             std::size_t watches = 1);

  /// Looks at the steps of servers in a move that is about to be taken.
  void before(const model::World& world, const model::Move& move);

  /// Who looks into names: "the script in the role `lock`"; nothing as long as nobody was seen to.
  const std::optional<std::string>& culprit() const { return culprit_; }
  /// The same for a step that has too many images to tell.
  const std::optional<std::string>& too_many() const { return too_many_; }

  /// Steps of servers that were looked at, whether anew or not.
  std::uint64_t steps() const { return steps_; }
  /// So many that were looked at before were taken again.
  void repeat(std::uint64_t steps) { steps_ += steps; }

  /// Of these steps the images were so many. Another search goes on with that (sim/search/learned.h): what it
  /// looks at once more counts again, so it has no more time than one search would have had.
  std::uint64_t images() const { return images_; }
  void go_on(std::uint64_t steps, std::uint64_t images) {
    steps_ = steps;
    images_ = images;
  }

  /// Says what another one found.
  void say(std::optional<std::string> culprit, std::optional<std::string> too_many) {
    culprit_ = std::move(culprit);
    too_many_ = std::move(too_many);
  }

  std::uint64_t bytes() const { return met_.bytes(); }

 private:
  struct Step;
  struct Given;
  struct Result;
  struct Circumstances;
  using Results = std::map<sim::Digest, sim::Digest>;  // by step: its result

  void effects(const model::World& world, model::NodeId replica);
  void time(const model::World& world, Duration passed);
  void look_at(const model::World& world, const Step& step, const Circumstances& under);
  std::string name_of(const Step& step, const Circumstances& under) const;
  bool is_treated_alike(Given first, const sim::Digest& key, const Circumstances& under);
  bool is_kept_to(Given first, const sim::Digest& key, const Circumstances& under);
  bool has_time() const;
  Result result_of(Given given, const Circumstances& under) const;

  const Setup& setup_;
  lua::Engine& engine_;
  bool with_now_;
  std::uint64_t watches_;
  std::vector<sim::Names> exchanges_;  // all, each after the last; or generators of them
  bool has_all_ = false;
  sim::DigestSet met_;
  std::uint64_t steps_ = 0, images_ = 0;
  std::optional<std::string> culprit_, too_many_;
};

}  // namespace lockstep::properties
