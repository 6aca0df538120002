// config_probes.h: lines about the configuration, which the model and a real server must answer alike
// (server_differential_test.cpp). "--" begins a new connection. In a word \n is a line end.
#pragma once

#include <string_view>

namespace lockstep::redis::testing {

inline constexpr std::string_view config_probes = R"~(CONFIG
CONFIG HELP
CONFIG GET
CONFIG GET nosuch
CONFIG GET maxmemory MAXMEMORY
CONFIG GET maxmem* min-rep*
CONFIG GET M[ai]xmem*
CONFIG GET [
CONFIG SET
CONFIG SET maxmemory
CONFIG SET nosuch x
CONFIG SET maxmemory x
CONFIG SET maxmemory 1gb
CONFIG GET maxmemory
CONFIG SET maxmemory 10kx
CONFIG SET maxmemory 1K
CONFIG GET maxmemory
CONFIG SET maxmemory 0
CONFIG SET maxmemory -1
CONFIG SET maxmemory 50%
CONFIG SET maxmemory ''
CONFIG SET maxmemory 18446744073709551616
CONFIG SET maxmemory 0
CONFIG SET maxmemory-clients 50%
CONFIG GET maxmemory-clients
CONFIG SET maxmemory-clients 101%
CONFIG SET maxmemory-clients 5x
CONFIG SET maxmemory-clients 0
CONFIG SET maxmemory 100 nosuch 3
CONFIG SET maxmemory 100 maxmemory 200
CONFIG SET maxmemory 100 appendonly maybe
CONFIG GET maxmemory
CONFIG SET appendonly maybe
CONFIG SET appendonly NO
CONFIG SET maxmemory-policy foo
CONFIG SET maxmemory-policy allkeys-LRU
CONFIG GET maxmemory-policy
CONFIG SET maxmemory-policy NOEVICTION
CONFIG SET min-replicas-to-write -1
CONFIG SET min-replicas-to-write x
CONFIG SET min-replicas-to-write 99999999999
CONFIG SET min-slaves-to-write 2
CONFIG GET min-*
SET a b
MULTI
SET a b
EXEC
GET a
FLUSHALL
PUBLISH a b
EVAL 'return 1' 0
EVAL "redis.call('set','x','y')" 0
EVAL "return redis.pcall('set','x','y')" 0
EVAL '#!lua\nreturn 1' 0
EVAL '#!lua flags=no-writes\nreturn 1' 0
EVAL_RO '#!lua\nreturn 1' 0
CONFIG SET min-slaves-to-write 0 min-replicas-to-write 0
CONFIG SET min-replicas-to-write 0
CONFIG SET databases 4
CONFIG SET databases 1 nosuch x
CONFIG SET maxmemory x nosuch x
CONFIG SET port 99999999
CONFIG SET lua-time-limit x
CONFIG SET lua-time-limit 500
CONFIG GET busy-reply-threshold
CONFIG SET lua-time-limit 5000
CONFIG SET timeout -1
CONFIG SET timeout 3.5
CONFIG SET timeout 010
CONFIG SET timeout ''
CONFIG SET save foo
CONFIG SET save '1 2'
CONFIG SET save '60 100 10 1'
CONFIG GET save
CONFIG SET save '60'
CONFIG SET save '-1 2'
CONFIG SET save '0 4'
CONFIG SET save '  3   4 '
CONFIG SET save ''
CONFIG SET notify-keyspace-events KEx
CONFIG GET notify-keyspace-events
CONFIG SET notify-keyspace-events KEAn
CONFIG GET notify-keyspace-events
CONFIG SET notify-keyspace-events KEgmn
CONFIG GET notify-keyspace-events
CONFIG SET notify-keyspace-events KEg$lshzxetd
CONFIG GET notify-keyspace-events
CONFIG SET notify-keyspace-events Q
CONFIG SET notify-keyspace-events ''
CONFIG SET client-output-buffer-limit foo
CONFIG SET client-output-buffer-limit 'normal 1mb 0 x'
CONFIG SET client-output-buffer-limit 'foo 1mb 0 1'
CONFIG SET client-output-buffer-limit 'replica 1mb 2kb 3 normal 1 2 3'
CONFIG GET client-output-buffer-limit
CONFIG SET client-output-buffer-limit 'slave 256mb 64mb 60 normal 0 0 0'
CONFIG SET hz 1000
CONFIG GET hz
CONFIG SET hz 10
CONFIG SET unixsocketperm 700
CONFIG SET dir /nosuchdir
CONFIG SET dbfilename a/b
CONFIG SET appendfilename x
CONFIG SET daemonize yes
CONFIG SET replicaof 'a 1'
CONFIG SET list-max-ziplist-size 64
CONFIG GET list-max-*
CONFIG SET list-max-ziplist-size -2
CONFIG SET list-max-listpack-size 99999999999
CONFIG SET hash-max-listpack-entries 16gb
CONFIG SET hash-max-listpack-entries -1
CONFIG SET latency-tracking-info-percentiles '50 99'
CONFIG SET latency-tracking-info-percentiles '101'
CONFIG SET latency-tracking-info-percentiles 'x'
CONFIG SET latency-tracking-info-percentiles '50 99 99.9'
CONFIG SET oom-score-adj-values '1 2'
CONFIG SET oom-score-adj-values '1 2 x'
CONFIG SET loglevel foo
CONFIG SET slowlog-log-slower-than -2
CONFIG SET maxclients 0
CONFIG SET proc-title-template '{foo}'
CONFIG SET repl-backlog-size 0
CONFIG SET repl-backlog-size 1
CONFIG GET repl-backlog-size
CONFIG SET repl-backlog-size 1mb
CONFIG RESETSTAT
CONFIG RESETSTAT x
CONFIG REWRITE
CONFIG SET active-expire-effort 11
CONFIG SET proto-max-bulk-len 1000
CONFIG SET propagation-error-behavior foo
CONFIG SET appendfsync foo
CONFIG SET shutdown-on-sigterm 'save now'
CONFIG GET shutdown-on-sigterm
CONFIG SET shutdown-on-sigterm 'save nosave'
CONFIG SET shutdown-on-sigterm foo
CONFIG SET shutdown-on-sigterm default
CONFIG SET tcp-keepalive x y
CONFIG SET '' x
CONFIG GET *)~";

}  // namespace lockstep::redis::testing
