#include "model/client/own_scripts.h"

#include "model/client/scheme.h"

namespace lockstep::model {

std::vector<OwnScript> scripts_of_schemes(const Setup& setup) {
  std::vector<OwnScript> scripts;
  for (const LockKind* kind : setup.kinds)
    for (const Role& role : kind->roles)
      if (role.described != nullptr && role.described->script)
        scripts.push_back({kind, &*role.described->script});
  return scripts;
}

}  // namespace lockstep::model
