// changed_scheme.h: the scripts that schemes bring along, and a scenario in which one of them is another.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/schemes/kind.h"
#include "model/setup/setup.h"

namespace lockstep::tools {

/// Of each kind of lock that is made of a scheme; by the name under which it is sent ("go-lock:unlock").
void each_script_of_schemes(
    const model::Setup& setup,
    const std::function<void(const std::string& name, const lua::Script& script)>& visit);

/// The setup points to these.
using OwnKinds = std::vector<std::unique_ptr<const schemes::OwnKind>>;
/// Where a scheme has this script in its role, its kind is one with the other script.
void put_into_schemes(model::Setup& setup, const lua::Script& from, const lua::Script& to, OwnKinds& kinds);

}  // namespace lockstep::tools
