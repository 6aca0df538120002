// cluster_probes.h: lines about slots, which a node of a cluster (real_cluster.h) and its model must answer
// alike (cluster_test.cpp). $me and $other are the names of the two nodes; a word in braces is the number of
// its slot.
#pragma once

#include <string_view>

namespace lockstep::differential {

inline constexpr std::string_view cluster_probes = R"~(CLUSTER
CLUSTER NOSUCH
CLUSTER NOSUCH x y
CLUSTER HELP
CLUSTER HELP x
cluster myid
CLUSTER MYID x
CLUSTER KEYSLOT
CLUSTER KEYSLOT foo
CLUSTER KEYSLOT {foo}
CLUSTER KEYSLOT ''
CLUSTER KEYSLOT a b
CLUSTER SAVECONFIG
CLUSTER SAVECONFIG x
CLUSTER SLOTS
CLUSTER SLOTS x
CLUSTER NODES x
CLUSTER SHARDS x
CLUSTER INFO x
CLUSTER REPLICAS
CLUSTER REPLICAS nosuch
CLUSTER REPLICAS $me
CLUSTER REPLICAS $other
CLUSTER SLAVES $other
CLUSTER SLAVES nosuch
CLUSTER COUNTKEYSINSLOT
CLUSTER COUNTKEYSINSLOT x
CLUSTER COUNTKEYSINSLOT -1
CLUSTER COUNTKEYSINSLOT 16384
CLUSTER COUNTKEYSINSLOT 99999999999999999999
SET {own}1 x
SET {own}2 x
SET {own}3 x
CLUSTER COUNTKEYSINSLOT {own}
CLUSTER COUNTKEYSINSLOT {others}
CLUSTER GETKEYSINSLOT {own}
CLUSTER GETKEYSINSLOT {own} 0
CLUSTER GETKEYSINSLOT {own} -1
CLUSTER GETKEYSINSLOT {own} x
CLUSTER GETKEYSINSLOT x 1
CLUSTER GETKEYSINSLOT 16384 1
CLUSTER GETKEYSINSLOT {others} 10
CLUSTER ADDSLOTS
CLUSTER ADDSLOTS x
CLUSTER ADDSLOTS -1
CLUSTER ADDSLOTS 16384
CLUSTER ADDSLOTS {own}
CLUSTER ADDSLOTS {others}
CLUSTER ADDSLOTS {nobody} {nobody}
CLUSTER ADDSLOTS {nobody} x
CLUSTER ADDSLOTS {nobody}
SET {nobody}1 x
CLUSTER DELSLOTS {nobody}
SET {nobody}1 x
CLUSTER DELSLOTS {nobody}
CLUSTER DELSLOTS x
CLUSTER DELSLOTS
CLUSTER ADDSLOTSRANGE {nobody}
CLUSTER ADDSLOTSRANGE {nobody} x
CLUSTER ADDSLOTSRANGE 5 4
CLUSTER ADDSLOTSRANGE {nobody} {nobody} {nobody}
CLUSTER ADDSLOTSRANGE {nobody} {nobody}
CLUSTER ADDSLOTSRANGE {nobody} {nobody}
CLUSTER DELSLOTSRANGE {nobody} {nobody} {nobody} {nobody}
CLUSTER DELSLOTSRANGE 16384 16385
CLUSTER DELSLOTSRANGE {nobody} {nobody}
CLUSTER DELSLOTSRANGE {nobody} {nobody}
CLUSTER SETSLOT
CLUSTER SETSLOT {own}
CLUSTER SETSLOT {own} x
CLUSTER SETSLOT x STABLE
CLUSTER SETSLOT 16384 STABLE
CLUSTER SETSLOT {own} STABLE x
CLUSTER SETSLOT {own} MIGRATING
CLUSTER SETSLOT {own} MIGRATING nosuch
CLUSTER SETSLOT {others} MIGRATING $other
CLUSTER SETSLOT {nobody} MIGRATING $other
CLUSTER SETSLOT {own} MIGRATING $me
GET {own}1
CLUSTER SETSLOT {own} MIGRATING $other
GET {own}9
GET {own}1
CLUSTER SETSLOT {own} STABLE
GET {own}9
CLUSTER SETSLOT {own} IMPORTING $other
CLUSTER SETSLOT {others} IMPORTING
CLUSTER SETSLOT {others} IMPORTING nosuch
CLUSTER SETSLOT {others} IMPORTING $other
ASKING
SET {others}1 x
CLUSTER COUNTKEYSINSLOT {others}
CLUSTER SETSLOT {others} NODE
CLUSTER SETSLOT {others} NODE nosuch
CLUSTER SETSLOT {own} NODE $other
CLUSTER SETSLOT {others} NODE $me
GET {others}1
GET {others}2
DEL {own}1
DEL {own}2
DEL {own}3
CLUSTER SETSLOT {own} MIGRATING $other
CLUSTER SETSLOT {own} NODE $other
GET {own}1
CLUSTER SETSLOT {own} NODE $other
CLUSTER SETSLOT {own} NODE $me
GET {own}1
CLUSTER FLUSHSLOTS x
CLUSTER FLUSHSLOTS
FLUSHALL
ASKING x
ASKING
READONLY x
READONLY
READWRITE x
READWRITE
SELECT 0
SELECT 1
SELECT x
SWAPDB 0 1
MOVE {own}1 1
COPY {own}1 {own}2 DB 1
COPY {own}1 {own}2 DB 0
SORT {own}1 BY w_*
SORT {own}1 BY w
SORT {own}1 GET #
SORT_RO {own}1 GET x
EVAL "return redis.call('get', '{others}5')" 0
EVAL "return redis.call('get', '{leaving}1')" 0
EVAL "return {redis.call('get', '{own}1'), redis.call('get', '{own}2')}" 0
EVAL "redis.call('get', '{own}1') return redis.call('get', 'another')" 0
EVAL "redis.call('get', 'another') return redis.call('get', KEYS[1])" 1 {own}1
EVAL "#!lua\nredis.call('get', '{own}1') return redis.call('get', 'another')" 0
EVAL "#!lua flags=allow-cross-slot-keys\nredis.call('get', '{own}1') return redis.call('get', 'another')" 0
EVAL "#!lua flags=no-cluster\nreturn 1" 0
EVAL "return redis.pcall('mget', '{own}1', 'another')" 0
EVAL "return 1" 2 {own}1 another
PUBLISH c m
SPUBLISH {coming}1 m
SPUBLISH {own}1 m
)~";

}  // namespace lockstep::differential
