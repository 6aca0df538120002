// locks_under.h: which locks lie under a key of a server.
#pragma once

#include <string>
#include <vector>

#include "model/setup/setup.h"

namespace lockstep::model {

/// A lock that lies under a key: an object of it, and what it is called.
struct Lying {
  std::uint16_t object = 0;
  std::string lock;
};

/// The locks, on the servers of a group, that lie under a key: one, or where locks share their key all that
/// have a name.
std::vector<Lying> locks_under(const std::string& key, GroupId group, const Setup& setup);

}  // namespace lockstep::model
