// operation_probes.h: lines about operation and scripts, which the model and a real server must answer alike
// (server_differential_test.cpp). "--" begins a new connection. A line that ends in \ goes on in the next. In
// a word \n is a line end.
#pragma once

#include <string_view>

namespace lockstep::redis::testing {

inline constexpr std::string_view operation_probes = R"~(DEBUG
DEBUG HELP
DEBUG FOO
DEBUG SLEEP
DEBUG SLEEP 0
DEBUG SLEEP x
DEBUG SLEEP 0 1
DEBUG SET-ACTIVE-EXPIRE 0
DEBUG SET-ACTIVE-EXPIRE x
DEBUG SET-ACTIVE-EXPIRE 1
DEBUG STRINGMATCH-LEN 10 *
DEBUG JMAP
DEBUG PROTOCOL string
DEBUG PROTOCOL integer
DEBUG PROTOCOL array
DEBUG PROTOCOL null
DEBUG PROTOCOL attrib
DEBUG PROTOCOL bignum
DEBUG PROTOCOL true
DEBUG PROTOCOL verbatim
DEBUG PROTOCOL double
DEBUG PROTOCOL set
DEBUG PROTOCOL map
DEBUG PROTOCOL false
DEBUG PROTOCOL push
DEBUG PROTOCOL foo
DEBUG ERROR 'foo bar'
DEBUG ERROR foo
DEBUG LOG hi
SLOWLOG
SLOWLOG HELP
SLOWLOG RESET
SLOWLOG GET
SLOWLOG GET x
SLOWLOG GET -1
SLOWLOG GET -2
SLOWLOG GET 1 2
SLOWLOG LEN
LATENCY HELP
LATENCY LATEST
LATENCY RESET
LATENCY RESET x
LATENCY HISTORY x
LATENCY GRAPH x
LATENCY DOCTOR
LATENCY HISTOGRAM nosuch
LATENCY FOO
MEMORY HELP
MEMORY USAGE nosuch
MEMORY USAGE nosuch SAMPLES x
MEMORY USAGE nosuch SAMPLES -1
MEMORY USAGE nosuch SAMPLES 3
MEMORY USAGE nosuch FOO
MEMORY USAGE nosuch FOO 1
MEMORY DOCTOR
MEMORY PURGE
MEMORY FOO
MODULE HELP
MODULE LIST
MODULE LOAD
MODULE LOAD /x
MODULE UNLOAD x
MODULE FOO
MODULE LOADEX x
PUBSUB HELP
READONLY
READWRITE
ASKING
SHUTDOWN x
SHUTDOWN ABORT
SHUTDOWN SAVE NOSAVE
SHUTDOWN ABORT NOW
LOLWUT VERSION 99
INFO nosuch
INFO a b
INFO modules
INFO cluster nosuch
INFO CPU
INFO server
INFO clients
INFO memory
INFO persistence
INFO stats
--
MOVE nosuch 1
MOVE nosuch 0
MOVE nosuch x
MOVE nosuch 16
MOVE nosuch -1
SET a 1
MOVE a 1
MOVE a 1
SET a 2
MOVE a 1
GET a
SELECT 1
GET a
SWAPDB 0 1
GET a
SWAPDB 0
SWAPDB x 0
SWAPDB 0 x
SWAPDB 0 16
SWAPDB 0 0
SWAPDB 99999999999 0
INFO keyspace
WATCH a
SWAPDB 1 2
MULTI
PING
EXEC
WATCH nosuch
SWAPDB 3 4
MULTI
PING
EXEC
FLUSHALL
INFO keyspace)~";

inline constexpr std::string_view script_probes = R"~(EVAL
EVAL 'return 1'
EVAL 'return 1' x
EVAL 'return 1' -1
EVAL 'return 1' 2 a
EVAL 'return {' x
EVALSHA abc x
EVALSHA 0123456789012345678901234567890123456789 x
EVALSHA 0123456789012345678901234567890123456789 0
EVALSHA_RO 0123456789012345678901234567890123456789 0
SCRIPT HELP
SCRIPT LOAD
SCRIPT LOAD 'return 1'
SCRIPT EXISTS
SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db x
EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0
SCRIPT FLUSH x
SCRIPT FLUSH SYNC
SCRIPT FLUSH SYNC x
EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0
SCRIPT KILL
SCRIPT DEBUG x
SCRIPT DEBUG NO
EVAL_RO "return redis.call('set','a','b')" 0
EVAL_RO "return redis.call('publish','a','b')" 0
EVAL_RO "return redis.call('get','a')" 0
EVAL_RO '#!lua\nreturn 1' 0
EVAL_RO '#!lua flags=no-writes\nreturn 1' 0
EVAL '#!lua flags=foo\nreturn 1' 0
EVAL '#!lua flags=no-writes\nreturn 1' 0
EVAL "#!lua flags=no-writes\nreturn redis.call('set','a','b')" 0
EVAL "#!lua flags=no-writes\nreturn redis.call('publish','a','b')" 0
EVAL "return redis.call('client','id')" 0
EVAL "return redis.call('config','get','*')" 0
EVAL "return redis.call('hello')" 0
EVAL "return redis.call('command','count','x')" 0
EVAL "return redis.call('pubsub','numpat')" 0
EVAL "return redis.call('pubsub')" 0
EVAL "return redis.call('pubsub','foo')" 0
FUNCTION HELP
FUNCTION LIST
FUNCTION LIST x
FUNCTION LIST LIBRARYNAME
FUNCTION LIST LIBRARYNAME a LIBRARYNAME b
FUNCTION LIST WITHCODE WITHCODE
FUNCTION LOAD
FUNCTION LOAD x
FUNCTION LOAD REPLACE
FUNCTION LOAD FOO x
FUNCTION LOAD REPLACE REPLACE x
FUNCTION LOAD REPLACE x y
FUNCTION LOAD '#!lua name=mylib'
FUNCTION LOAD '#!foo name=mylib\n'
FUNCTION LOAD "#!lua name=mylib\nredis.register_function('f1',function(k,a) return {#k,#a,k[1]} end)"
FUNCTION LOAD "#!lua name=mylib\nredis.register_function('f1',function(k,a) return {#k,#a,k[1]} end)"
FUNCTION LOAD "#!lua name=other\nredis.register_function('F1',function(k,a) return 1 end)"
FUNCTION LOAD "#!lua name=w\n\
redis.register_function('w',function(k,a) return redis.call('set',k[1],a[1]) end)"
FUNCTION LOAD REPLACE "#!lua name=w\nredis.register_function('f1',function(k,a) return 1 end)"
FUNCTION LOAD REPLACE "#!lua name=w\n\
redis.register_function('w',function(k,a) return redis.call('set',k[1],a[1]) end)"
FUNCTION LOAD "#!lua name=r\n\
redis.register_function{function_name='r',callback=function() \
return redis.call('set','x','y') end,\
description='d e',flags={'allow-oom','no-writes'}}"
FUNCTION LIST LIBRARYNAME R WITHCODE
FUNCTION LIST WITHCODE LIBRARYNAME my*
FUNCTION LIST LIBRARYNAME x*
FUNCTION STATS
FCALL
FCALL f
FCALL f 0
FCALL f x
FCALL f1 0
FCALL F1 1 a b
FCALL f1 x
FCALL f1 3 x
FCALL f1 -3 x
FCALL r 0
FCALL w 1 a b
FCALL w 0 a b
FCALL_RO f 0
FCALL_RO f1 0
FCALL_RO w 1 a b
FCALL_RO r 0
EVAL "return redis.call('fcall','f1','0')" 0
MULTI
FUNCTION LIST LIBRARYNAME mylib
FCALL f1 0
EXEC
CONFIG SET min-replicas-to-write 1
FCALL w 1 a b
FCALL r 0
FCALL f 0
FUNCTION LOAD x
FUNCTION DELETE w
CONFIG SET min-replicas-to-write 0
FUNCTION DELETE MYLIB
FUNCTION DELETE mylib
FUNCTION DELETE mylib
FUNCTION DELETE
FUNCTION STATS
FUNCTION FLUSH x
FUNCTION FLUSH SYNC x
FUNCTION FLUSH SYNC
FUNCTION LIST
FUNCTION KILL
FUNCTION FOO)~";

}  // namespace lockstep::redis::testing
