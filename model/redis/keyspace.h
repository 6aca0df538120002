#pragma once
#include "sim/base/fields.h"
namespace lockstep::redis { struct Keyspace { bool operator==(const Keyspace&) const = default; }; }
