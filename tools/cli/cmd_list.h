// cmd_list.h: `lockstep list KIND` prints what there is of a kind, one a line.
#pragma once

#include "tools/cli/verb.h"

namespace lockstep::tools {

enum class ListKind {
  scenarios,
  kinds,
  schemes,
  properties,
  roles,
  scripts,
  versions,
  knobs,
  faults,
  steps,
  exporters,
  witnesses
};

struct ListOptions {
  ListKind kind = ListKind::scenarios;
  Format format = Format::human;
};

Verb list_verb();

}  // namespace lockstep::tools
