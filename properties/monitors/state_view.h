// state_view.h: how a predicate looks at a state: the host behind the functions that it may call.
//
//   holders(lock)         who holds it, as it is stored where the master is: names of threads, in order
//   holds(lock, thread)   how often the thread holds it, as it is stored
//   believers(lock)       who believes to hold it
//   waiters(lock)         who is inside a call that waits for it
//   locks()               the locks of the scenario, and whatever else is held
//   stored(key [, node])  a string, a list of items, or a table of fields; nil: nothing, or the node is down
//   left(key [, node])    the milliseconds until it dies by itself; nil: it does not
//   keys([node])          the keys that are stored
//   master()              the node in charge of the first group; nil while it is down
//   up(node), running(process), ended(thread)
//   count(list), contains(list, item)
//
// A word that is drawn anew in each round of a program that goes round for ever is not shown: an error says
// so.
// Without `node` it is the master of the group that stores the key. Lists of names are in the order of their
// bytes. A name that the scenario does not know is an error that says so.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lua/engine/host.h"
#include "properties/monitors/monitors.h"

namespace lockstep::properties {

class StateView final : public lua::Host {
 public:
  StateView(const model::World& world, const Beliefs& beliefs, const Setup& setup)
      : world_(world), beliefs_(beliefs), setup_(setup) {}

  lua::Reply call(std::span<const std::string_view> words) override;

  /// Lua that defines the functions, in one line.
  static std::string_view definitions();

 private:
  using Words = std::span<const std::string_view>;
  lua::Reply holders(Words words) const;
  lua::Reply holds(Words words) const;
  lua::Reply believers(Words words) const;
  lua::Reply waiters(Words words) const;
  lua::Reply locks(Words words) const;
  lua::Reply stored(Words words) const;
  lua::Reply left(Words words) const;
  lua::Reply keys(Words words) const;
  lua::Reply master(Words words) const;
  lua::Reply up(Words words) const;
  lua::Reply running(Words words) const;
  lua::Reply ended(Words words) const;
  std::optional<lua::Error> unknown_lock(std::string_view lock) const;
  bool shows_drawn(std::string_view text) const;
  std::vector<model::NodeId> nodes_meant(std::string_view name) const;

  struct Function;
  static const Function table[];
  const model::World& world_;
  const Beliefs& beliefs_;
  const Setup& setup_;
};

}  // namespace lockstep::properties
