// edge_probes.h: lines at the edges of what a server answers, which the model and a real server must answer
// alike (server_differential_test.cpp): words with a NUL, sub-commands written as one word, containers, a
// cluster that is switched off, no memory, no samples. "--" begins a new connection. In a word \n is a line
// end, and \xHH a byte.
#pragma once

#include <string_view>

namespace lockstep::redis::testing {

inline constexpr std::string_view edge_probes = R"~(config|get
config|get maxmemory
CONFIG|GET
'config get' x
EVAL "return redis.call('config|get','x')" 0
EVAL "return redis.call('config get','x')" 0
''
'' a b
nosuch\x00x a\x00b '' c
nosuch 'a\nb' c
NOSUCH xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y
CONFIG no\x00such
ACL no\x00such x
ACL CAT no\x00such
ACL DRYRUN no\x00such get
CLIENT LIST TYPE no\x00such
CLIENT KILL TYPE no\x00such
HELLO 2 no\x00such
EXPIRE k 1 no\x00such
LATENCY GRAPH no\x00such
REPLCONF no\x00such x
FUNCTION LIST no\x00such
FUNCTION LOAD no\x00such x
FUNCTION no\x00such
CONFIG SET no\x00such x
CONFIG SET timeout no\x00such
EVAL "return {err='a\x00b'}" 0
EVAL "return {ok='a\x00b'}" 0
EVAL "return redis.error_reply('a\x00b')" 0
EVAL "error('a\x00b')" 0
CLUSTER
CLUSTER HELP
CLUSTER HELP x
CLUSTER help
CLUSTER INFO
CLUSTER INFO x
CLUSTER MEET
CLUSTER MEET a 1
CLUSTER FORGET x
CLUSTER RESET
CLUSTER FAILOVER
CLUSTER REPLICATE x
CLUSTER BUMPEPOCH
CLUSTER LINKS
CLUSTER SAVECONFIG
CLUSTER SET-CONFIG-EPOCH 1
CLUSTER COUNT-FAILURE-REPORTS x
CLUSTER ADDSLOTS 1
CLUSTER KEYSLOT
CLUSTER NOSUCH
COMMAND GETKEYS zunionstore d 0 a b
COMMAND GETKEYS zunion 0 a b
COMMAND GETKEYS zunionstore d x a b
COMMAND GETKEYS eval x 0
COMMAND GETKEYS config|get a
COMMAND INFO config|get config|
COMMAND LIST FILTERBY PATTERN client|*
ACL CAT connection
ACL CAT pubsub
HELLO 2 SETNAME a AUTH default x SETNAME b FOO
CLIENT GETNAME
HELLO 2 SETNAME c AUTH nosuch x SETNAME d
CLIENT GETNAME
HELLO 2 SETNAME 'a b' SETNAME d
CLIENT GETNAME
HELLO 2 auth default '' setname e
CLIENT GETNAME
CONFIG GET TimeOut timeout
CONFIG GET timeout TimeOut TIME*
CONFIG GET TIMEOUT nosuch
CONFIG SET TIMEOUT x
CONFIG SET TIMEOUT 1 timeout 2
CONFIG SET Slave-Read-Only x
CONFIG SET DAEMONIZE yes
CONFIG SET activedefrag yes
CONFIG SET activedefrag no
CONFIG SET requirepass foo
ACL LIST
ACL GETUSER default
CONFIG SET requirepass ''
ACL LIST
ACL GENPASS x
ACL GENPASS 0
ACL GENPASS 4097
ACL GENPASS -1
ACL GENPASS 1 2
LATENCY DOCTOR
CONFIG SET latency-monitor-threshold 100
LATENCY DOCTOR
CONFIG SET latency-monitor-threshold 0
LOLWUT VERSION x
REPLCONF rdb-filter-only ''
REPLCONF rdb-filter-only functions
REPLCONF rdb-filter-only 'functions Functions'
REPLCONF rdb-filter-only nosuch
REPLCONF rdb-filter-only '"'
DEBUG QUICKLIST-PACKED-THRESHOLD x
DEBUG QUICKLIST-PACKED-THRESHOLD 100
DEBUG QUICKLIST-PACKED-THRESHOLD 4gb
DEBUG QUICKLIST-PACKED-THRESHOLD 0
DEBUG POPULATE
DEBUG POPULATE x
DEBUG POPULATE -1
DEBUG POPULATE 2
DEBUG POPULATE 3 key 5
DEBUG POPULATE 1 long 12
DEBUG POPULATE 1 a x
DEBUG POPULATE 1 a 1 2
MGET key:0 key:1 key:2 long:0
DBSIZE
FLUSHALL
--
SET a 1
SET b hello
SET c 1.2345678901234568e+17
SET d xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
SET e xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
SET f ''
SET kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk 9223372036854775807
MEMORY USAGE a
MEMORY USAGE b
MEMORY USAGE c
MEMORY USAGE d
MEMORY USAGE e SAMPLES 0
MEMORY USAGE f SAMPLES 5 SAMPLES 6
MEMORY USAGE kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
MEMORY USAGE a SAMPLES
MEMORY USAGE a b
OBJECT FREQ a
CONFIG SET maxmemory-policy volatile-lfu
SET fresh x
OBJECT FREQ fresh
OBJECT IDLETIME fresh
OBJECT FREQ nosuch
OBJECT IDLETIME nosuch
CONFIG SET maxmemory-policy noeviction
OBJECT FREQ fresh
FLUSHALL
--
FUNCTION LOAD "#!lua name=twice\nredis.register_function('once', function() end)"
FUNCTION LOAD "#!lua name=twice\nredis.register_function('no name', 1)"
FUNCTION LOAD REPLACE "#!lua name=twice\nredis.register_function('no name', 1)"
FUNCTION LOAD "#!lua name=twice\n)"
FUNCTION DELETE twice
FUNCTION LOAD "#!lua name=oom\n\
redis.register_function('plain',function() return 1 end) \
redis.register_function{function_name='may',\
callback=function() return redis.call('set','a','b') end,flags={'allow-oom'}} \
redis.register_function{function_name='reads',\
callback=function() return redis.call('get','a') end,flags={'no-writes'}}"
SET k v
CONFIG SET maxmemory 1
SET k v
SET k
SETEX k 1 v
GETEX k EX 1
APPEND k x
LPUSH l 1
LPOP l
HSET h f v
HDEL h f
ZADD z 1 a
SORT nosuch
SORT_RO nosuch
BITFIELD k GET u8 0
BITFIELD_RO k GET u8 0
COPY k l
RENAME k l
RENAME l k
EXPIRE k 100
GET k
INCR n
DEL k
PUBLISH a b
MULTI
SET a b
EXEC
MULTI
GET a
DISCARD
MULTI
MULTI
WATCH a
EXEC
MULTI
RESET
EVAL "return 1" 0
EVAL "return redis.call('set','a','b')" 0
EVAL "return redis.pcall('set','a','b')" 0
EVAL "redis.call('del','a') return redis.call('set','a','b')" 0
EVAL '#!lua\nreturn 1' 0
EVAL '#!lua flags=no-writes\nreturn 1' 0
EVAL "#!lua flags=no-writes\nreturn redis.call('get','a')" 0
EVAL "#!lua flags=allow-oom\nreturn redis.call('set','a','b')" 0
EVAL_RO "return redis.call('get','a')" 0
EVAL_RO "return redis.call('set','a','b')" 0
EVALSHA 0123456789012345678901234567890123456789 0
FCALL plain 0
FCALL may 0
FCALL reads 0
FCALL_RO reads 0
FCALL nosuch 0
SCRIPT LOAD 'return 1'
FUNCTION LOAD "#!lua name=x\nredis.register_function('x',function() return 1 end)"
FUNCTION DELETE oom
CONFIG SET maxmemory 1gb
SET k v
CONFIG SET maxmemory 1 min-replicas-to-write 1
SET k v
DEL k
CONFIG SET maxmemory 0 min-replicas-to-write 0
MULTI
SET k v
--
CONFIG SET maxmemory 1
--
MULTI
CONFIG SET maxmemory 0
SET a b
CONFIG SET maxmemory 1
INCR n
SET n 5
CONFIG SET maxmemory 0
EXEC
--
CONFIG SET maxmemory 0
MGET a n k)~";

}  // namespace lockstep::redis::testing
