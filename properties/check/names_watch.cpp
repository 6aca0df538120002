#include "properties/check/names_watch.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "properties/check/renaming.h"
#include "properties/check/served_again.h"
#include "sim/base/fields.h"

namespace lockstep::properties {

using model::NodeId;
using model::ProcessId;

/// What goes into a step of a server, besides the server; what is not a part of the step is empty.
struct NamesWatch::Step {
  ProcessId from;
  const std::optional<model::Request>& request;
  const model::Effects& effects;
  Duration passed;  // or the skew of effects
};

/// The same as a value, with the server.
struct NamesWatch::Given {
  model::Server server;
  ProcessId from;
  std::optional<model::Request> request;
  model::Effects effects;
  Duration passed{};

  bool operator==(const Given&) const = default;
  static auto fields(auto& g) { return std::tie(g.server, g.from, g.request, g.effects, g.passed); }
};

/// What comes out of it; of keys that go, in their order.
struct NamesWatch::Result {
  Answered answered;
  std::vector<std::string> gone;
  std::vector<model::Effects> gone_effects;

  bool operator==(const Result&) const = default;
  static auto fields(auto& r) { return std::tie(r.answered, r.gone, r.gone_effects); }
};

/// What is equal in a step and all its images.
struct NamesWatch::Circumstances {
  enum class Kind : std::uint8_t { request, effects, time } kind;
  NodeId node;
  model::ConnectionId connection;
  std::int64_t wall_ms = 0;
};

namespace {

/// Who gets whose name.
struct Exchange {
  std::vector<std::uint16_t> outer, inner;
  bool operator==(const Exchange&) const = default;
};

/// Everybody keeps the own name.
Exchange nobody(const Setup& setup) {
  Exchange own{std::vector<std::uint16_t>(setup.processes.size()),
               std::vector<std::uint16_t>(setup.threads.size())};
  std::iota(own.outer.begin(), own.outer.end(), std::uint16_t{0});
  std::iota(own.inner.begin(), own.inner.end(), std::uint16_t{0});
  return own;
}

/// The exchange of the first two of a class, and the round of all: they generate every order.
std::vector<sim::ActorClass> orders_of(const sim::ActorClass& members) {
  std::vector<sim::ActorClass> orders;
  if (members.size() < 2) return orders;
  orders.push_back(members);
  std::swap(orders.back()[0], orders.back()[1]);
  if (members.size() == 2) return orders;
  orders.push_back(members);
  std::rotate(orders.back().begin(), orders.back().begin() + 1, orders.back().end());
  return orders;
}

std::vector<Exchange> generators_of(const Setup& setup, std::size_t alike_max) {
  const sim::ActorClasses classes = interchangeable(setup, alike_max);
  std::vector<Exchange> exchanges;
  for (const sim::ActorClass& members : classes_of_processes(setup, classes))
    for (const sim::ActorClass& order : orders_of(members)) {
      Exchange one = nobody(setup);
      for (std::size_t i = 0; i < members.size(); ++i) {
        one.outer[members[i]] = order[i];
        const auto &from = classes.inner[members[i]], &to = classes.inner[order[i]];
        for (std::size_t g = 0; g < from.size(); ++g)
          for (std::size_t t = 0; t < from[g].size(); ++t) one.inner[from[g][t]] = to[g][t];
      }
      exchanges.push_back(std::move(one));
    }
  for (const auto& groups : classes.inner)
    for (const sim::ActorClass& members : groups)
      for (const sim::ActorClass& order : orders_of(members)) {
        Exchange one = nobody(setup);
        for (std::size_t i = 0; i < members.size(); ++i) one.inner[members[i]] = order[i];
        exchanges.push_back(std::move(one));
      }
  return exchanges;
}

/// All that these generate but the one of nobody; nothing if there are more than `most`.
std::optional<std::vector<Exchange>> all_of(const Setup& setup, const std::vector<Exchange>& generators,
                                            std::size_t most) {
  std::vector<Exchange> all{nobody(setup)};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Exchange& one : generators) {
      Exchange next = all[i];
      for (std::uint16_t& name : next.outer) name = one.outer[name];
      for (std::uint16_t& name : next.inner) name = one.inner[name];
      if (std::find(all.begin(), all.end(), next) != all.end()) continue;
      if (all.size() > most) return std::nullopt;
      all.push_back(std::move(next));
    }
  all.erase(all.begin());
  return all;
}

/// Who is called what by the one is called so by the other after this.
Exchange between(const Exchange& one, const Exchange& other) {
  Exchange all = one;
  for (std::size_t i = 0; i < one.outer.size(); ++i) all.outer[one.outer[i]] = other.outer[i];
  for (std::size_t i = 0; i < one.inner.size(); ++i) all.inner[one.inner[i]] = other.inner[i];
  return all;
}

}  // namespace

NamesWatch::NamesWatch(const Setup& setup, lua::Engine& engine, bool with_now, std::size_t alike_max,
                       std::size_t watches)
    : setup_(setup),
      engine_(engine),
      with_now_(with_now),
      watches_(watches) {
  constexpr std::size_t few = 5;  // of more, a step has fewer images than there are exchanges
  std::vector<Exchange> exchanges = generators_of(setup, alike_max);
  if (std::optional<std::vector<Exchange>> all = all_of(setup, exchanges, few)) {
    exchanges = *std::move(all);
    has_all_ = true;
  }
  Exchange before = nobody(setup);
  for (const Exchange& one : exchanges) {
    const Exchange next = has_all_ ? between(before, one) : one;
    exchanges_.push_back(names_of(setup, {next.outer, next.inner}));
    before = one;
  }
}

/// Images cost about as much as steps of the search.
bool NamesWatch::has_time() const {
  constexpr std::uint64_t images_at_least = 20'000, images_for_each_step = 20;
  return images_ <= images_at_least / watches_ + images_for_each_step * steps_;
}

void NamesWatch::before(const model::World& world, const model::Move& move) {
  if (exchanges_.empty() || culprit_ || too_many_) return;
  if (move.verb.act == model::Act::pass) return time(world, Duration(move.by));
  if (move.verb.act == model::Act::effects) return effects(world, move.of<model::StreamId>().to);
  each_request_of(world, move, [&](const model::Request& request, const model::Carried& on) {
    const NodeId n = on.link.node;
    look_at(world, {on.link.process, request, {}, {}},
            {Circumstances::Kind::request, n, on.connection, wall_ms_of(world, setup_, n)});
  });
}

void NamesWatch::effects(const model::World& world, NodeId replica) {
  const model::Stream& stream = *world.streams[replica.index()];
  const auto& offset = world.clocks->offset;
  const Duration skew = offset[replica.index()] - offset[stream.master->index()];
  look_at(world, {{}, {}, stream.batches.front().effects, skew},
          {Circumstances::Kind::effects, replica, {}, wall_ms_of(world, setup_, replica)});
}

void NamesWatch::time(const model::World& world, Duration passed) {
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    const auto n = sim::make_id<NodeId>(i);
    if (setup_.kind_of(n).next_change(*world.nodes[i]) > passed) continue;
    look_at(world, {{}, {}, {}, passed}, {Circumstances::Kind::time, n, {}, 0});
  }
}

namespace {

/// Names one step: what a server was, and what it is given.
template <class Step, class Circumstances>
sim::Digest key_of(const sim::Digest& server, const Step& step, const Circumstances& under, bool with_now) {
  sim::Encoder out;
  encode(out, server);
  encode(out, step.from);
  encode(out, step.request);
  encode(out, step.effects);
  encode(out, step.passed);
  out.number(under.node.value * std::uint64_t{4} + static_cast<std::uint64_t>(under.kind));
  if (with_now) out.number(static_cast<std::uint64_t>(under.wall_ms));
  return sim::digest_bytes(out.bytes());
}

}  // namespace

void NamesWatch::look_at(const model::World& world, const Step& step, const Circumstances& under) {
  const auto& server = world.nodes[under.node.index()];
  const sim::Digest key = key_of(server.digest(), step, under, with_now_);
  ++steps_;
  if (!met_.insert(key).fresh) return;
  const bool alike =
      is_treated_alike({*server, step.from, step.request, step.effects, step.passed}, key, under);
  if (!has_time()) too_many_ = name_of(step, under);
  else if (!alike) culprit_ = name_of(step, under);
}

std::string NamesWatch::name_of(const Step& step, const Circumstances& under) const {
  if (under.kind == Circumstances::Kind::effects) return "what a replica applies";
  if (under.kind == Circumstances::Kind::time) return "the order in which keys die together";
  return sender_of(*step.request, setup_);
}

/// All exchanges take the step to one with the exchanged result; there are few, and each is made of the one
/// before.
bool NamesWatch::is_kept_to(Given exchanged, const sim::Digest& key, const Circumstances& under) {
  std::vector<std::pair<sim::Digest, Result>> results;
  results.reserve(exchanges_.size() + 1);
  results.emplace_back(key, result_of(exchanged, under));
  ++images_;
  if (!has_time()) return true;
  Result expected = results.front().second;
  for (const sim::Names& names : exchanges_) {
    sim::rename(exchanged, sim::Renaming(names));
    sim::rename(expected, sim::Renaming(names));
    const sim::Digest its = key_of(sim::digest_of(exchanged.server), exchanged, under, with_now_);
    auto known = std::find_if(results.begin(), results.end(),
                              [&](const auto& one) { return one.first == its; });
    if (known == results.end()) {
      met_.insert(its);
      ++images_;
      known = results.emplace(results.end(), its, result_of(exchanged, under));
    }
    if (!(known->second == expected)) return false;
  }
  return true;
}

/// Goes through the images of a step under all exchanges. If every generator takes each of them to one with
/// the exchanged result, then so does everything that they generate. An image whose own images are known is
/// forgotten, but for the digest of its result.
bool NamesWatch::is_treated_alike(Given first, const sim::Digest& key, const Circumstances& under) {
  if (has_all_) return is_kept_to(std::move(first), key, under);
  struct Image {
    sim::Digest key;
    Given given;
    Result result;
  };
  std::deque<Image> images;
  Results results;
  const auto add = [&](const sim::Digest& its, Given given) {
    Result result = result_of(given, under);
    results[its] = sim::digest_of(result);
    met_.insert(its);
    ++images_;
    images.push_back({its, std::move(given), std::move(result)});
  };
  add(key, std::move(first));
  for (; !images.empty() && has_time(); images.pop_front())
    for (const sim::Names& names : exchanges_) {
      Given exchanged = renamed(images.front().given, names);
      const sim::Digest its = key_of(sim::digest_of(exchanged.server), exchanged, under, with_now_);
      const sim::Digest expected = sim::digest_of(renamed(images.front().result, names));
      if (!results.contains(its)) add(its, std::move(exchanged));
      if (results[its] != expected) return false;
    }
  return true;
}

NamesWatch::Result NamesWatch::result_of(Given given, const Circumstances& under) const {
  const NodeId node = under.node;
  Result result;
  if (under.kind == Circumstances::Kind::request) {
    result.answered = serve_again({.server = std::move(given.server),
                                   .words = model::words_of(*given.request, setup_),
                                   .node = node,
                                   .by = known_by(setup_, {given.from, node}, under.connection),
                                   .wall_ms = under.wall_ms},
                                  setup_, engine_);
    return result;
  }
  const model::ServerKind& kind = setup_.kind_of(node);
  model::Server& server = result.answered.after = std::move(given.server);
  if (under.kind == Circumstances::Kind::effects) {
    const model::Serving serving = serving_again(setup_, engine_, node, under.wall_ms);
    result.answered.note(kind.apply(server, given.effects, given.passed, serving), {});
  } else {
    model::Unasked unasked = kind.pass(server, given.passed);
    result.answered.note(unasked.pushes, unasked.closed);
    for (model::Gone& gone : unasked.gone) {
      result.gone.push_back(std::move(gone.key));
      result.gone_effects.push_back(std::move(gone.effects));
    }
  }
  return result;
}

}  // namespace lockstep::properties
