#pragma once
namespace lockstep::redis { struct PubSub { bool operator==(const PubSub&) const = default; }; }
