#include "model/redis/testing/random_commands.h"

#include <array>
#include <string>
#include <vector>

namespace lockstep::redis::testing {

namespace {

using Line = std::string_view;
using Pool = std::span<const std::string_view>;

// Holes: $k key · $v value · $n any integer or what looks like one · $i small integer · $f float or what
// looks like one · $m member or field · $s score bound · $x lexicographic bound · $g pattern · $t seconds or
// ms, soon or far away · $a and $A ms and seconds since 1970, about when tests begin · $c how many to draw ·
// $e end of a list · $y type · $o operation on bits · $b type of a bit field · $SET $GETEX $EXPIRE $ZADD
// $ZRANGE $CARD $SCAN $PAGE $ZSUM $ZMPOP $COPY $LCS $BIT $BITFIELD $LPOS $SORT: up to three options.
constexpr Line key_lines[] = {
    "EXISTS $k", "EXISTS $k $k $k", "DEL $k", "UNLINK $k $k", "TYPE $k", "KEYS $g", "DBSIZE",
    "RENAME $k $k", "RENAMENX $k $k", "TOUCH $k $k", "FLUSHALL", "FLUSHDB async", "ECHO $v", "PING",
    "PING $v", "SELECT $n", "PUBLISH $k $v", "PUBSUB NUMSUB $k", "PUBSUB CHANNELS", "PUBSUB $v",
    "SCRIPT EXISTS $v", "SCRIPT $v", "NOSUCH $v $v", "COPY $k $k", "COPY $k $k $COPY", "MOVE $k $n",
    "RANDOMKEY", "SCAN 0 $SCAN COUNT 1000", "SCAN 0 $SCAN COUNT 1000", "SCAN $n $SCAN",
    "OBJECT ENCODING $k", "OBJECT ENCODING $k", "OBJECT REFCOUNT $k", "OBJECT FREQ $k",
    "OBJECT IDLETIME $k", "OBJECT HELP", "OBJECT $v", "SORT $k $SORT", "SORT $k ALPHA $SORT",
    "SORT $k $SORT $SORT", "SORT_RO $k $SORT", "SORT_RO $k ALPHA $SORT",
    "SORT $k ALPHA BY k* LIMIT $i $i $SORT", "RPUSH $k $v $v $v $v $v $v $v $v $v $v"};
constexpr Line expiry_lines[] = {
    "EXPIRE $k $t $EXPIRE", "PEXPIRE $k $t $EXPIRE", "EXPIRE $k $n $EXPIRE", "PEXPIRE $k $n $EXPIRE",
    "EXPIREAT $k $n $EXPIRE", "PEXPIREAT $k $n $EXPIRE", "EXPIREAT $k $A $EXPIRE",
    "PEXPIREAT $k $a $EXPIRE", "PERSIST $k", "TTL $k", "PTTL $k",
    "EXPIRETIME $k", "PEXPIRETIME $k", "SET $k $v PX $t", "SETEX $k $t $v", "GETEX $k PERSIST"};
constexpr Line string_lines[] = {
    "GET $k", "SET $k $v", "SET $k $v $SET", "SET $k $v $SET $SET", "SETNX $k $v", "SETEX $k $n $v",
    "PSETEX $k $n $v", "GETSET $k $v", "GETDEL $k", "GETEX $k $GETEX", "MGET $k $k",
    "MSET $k $v $k $v", "MSETNX $k $v $k $v", "INCR $k", "DECR $k", "INCRBY $k $n", "DECRBY $k $n",
    "INCRBYFLOAT $k $f", "APPEND $k $v", "STRLEN $k", "GETRANGE $k $i $i", "GETRANGE $k $n $n",
    "SUBSTR $k $i $i", "SETRANGE $k $i $v", "SETRANGE $k $n $v", "LCS $k $k $LCS",
    "LCS $k $k IDX $LCS"};
constexpr Line bit_lines[] = {
    "GETBIT $k $i", "GETBIT $k $n", "SETBIT $k $i $i", "SETBIT $k $n $i", "SETBIT $k 3 1",
    "SETBIT $k $i $n", "BITCOUNT $k", "BITCOUNT $k $i $i", "BITCOUNT $k $i $i $BIT", "BITCOUNT $k $n $n bit",
    "BITPOS $k $i", "BITPOS $k 1 $i", "BITPOS $k 0 $i $i", "BITPOS $k $i $i $i $BIT",
    "BITPOS $k $n $n $n bit", "BITOP $o $k $k", "BITOP $o $k $k $k $k", "BITOP NOT $k $k",
    "BITFIELD $k $BITFIELD $BITFIELD", "BITFIELD $k $BITFIELD", "BITFIELD_RO $k $BITFIELD",
    "SET $k $v", "APPEND $k $v", "SETRANGE $k $i $v", "GET $k", "OBJECT ENCODING $k"};
constexpr Line hash_lines[] = {
    "HSET $k $m $v", "HSET $k $m $v $m $v", "HMSET $k $m $v $m $v", "HSETNX $k $m $v", "HGET $k $m",
    "HMGET $k $m $m", "HGETALL $k", "HDEL $k $m", "HDEL $k $m $m $m", "HEXISTS $k $m", "HLEN $k",
    "HKEYS $k", "HVALS $k", "HINCRBY $k $m $n", "HINCRBY $k $m $i", "HINCRBYFLOAT $k $m $f",
    "HSTRLEN $k $m", "HRANDFIELD $k", "HRANDFIELD $k $i", "HRANDFIELD $k $v",
    "HRANDFIELD $k $i withvalues", "HRANDFIELD $k $v WITHVALUES", "HRANDFIELD $k -9223372036854775808",
    "HSCAN $k 0 $SCAN COUNT 1000", "HSCAN $k 0 COUNT 1000", "HSCAN $k $n $SCAN"};
constexpr Line list_lines[] = {
    "LPUSH $k $v", "RPUSH $k $v $v $v", "LPUSHX $k $v", "RPUSHX $k $v $v", "LPOP $k", "RPOP $k",
    "LPOP $k $i", "RPOP $k $n", "LLEN $k", "LINDEX $k $i", "LINDEX $k $n", "LRANGE $k $i $i",
    "LRANGE $k 0 -1", "LRANGE $k $n $n", "LREM $k $i $v", "LREM $k $n $v", "LSET $k $i $v",
    "LTRIM $k $i $i", "LTRIM $k $n $n", "LINSERT $k before $v $v", "LINSERT $k AFTER $v $v",
    "LINSERT $k $v $v $v", "LMOVE $k $k $e $e", "LMOVE $k $k $e $e", "RPOPLPUSH $k $k",
    "LMPOP 1 $k $e", "LMPOP 2 $k $k $e", "LMPOP $i $k $k $e COUNT $i", "LMPOP 2 $k $k $e count $n",
    "LMPOP 2 $k $k $e COUNT 2", "LPOS $k $v", "LPOS $k $v $LPOS", "LPOS $k $v $LPOS $LPOS"};
constexpr Line set_lines[] = {
    "SADD $k $m", "SADD $k $v $v $v", "SREM $k $m $v", "SISMEMBER $k $v", "SMISMEMBER $k $v $m",
    "SMEMBERS $k", "SCARD $k", "SADD $k $n $n", "SADD $k $i $i $i", "SADD $k $m $m $m $m",
    "SADD $k 1 2 3 a b c", "SADD $k $m", "SINTER $k $k", "SINTER $k $k $k", "SUNION $k",
    "SUNION $k $k $k", "SDIFF $k $k", "SDIFF $k $k $k $k", "SINTERSTORE $k $k $k", "SUNIONSTORE $k $k",
    "SUNIONSTORE $k $k $k", "SDIFFSTORE $k $k $k", "SDIFFSTORE $k $k $k $k $k",
    "SDIFFSTORE $k $k $k $k $k $k $k", "SINTERCARD 2 $k $k", "SINTERCARD $n $k $k $CARD",
    "SINTERCARD 1 $k $CARD", "SMOVE $k $k $m", "SMOVE $k $k $i", "SPOP $k", "SPOP $k $c",
    "SRANDMEMBER $k", "SRANDMEMBER $k $c", "SSCAN $k 0 $PAGE", "SSCAN $k $n $PAGE", "SSCAN $k 0"};
constexpr Line sorted_set_lines[] = {
    "ZADD $k $f $m", "ZADD $k $i $m $i $m", "ZADD $k $ZADD $f $m", "ZADD $k $ZADD $i $m $i $m",
    "ZREM $k $m $m", "ZADD $k 0 $v 0 $v 0 $m", "ZSCORE $k $m", "ZMSCORE $k $m $v", "ZINCRBY $k $f $m",
    "ZINCRBY $k $i $m", "ZCARD $k", "ZCOUNT $k $s $s", "ZLEXCOUNT $k $x $x", "ZRANK $k $m",
    "ZREVRANK $k $m", "ZRANGE $k $i $i", "ZRANGE $k 0 -1 withscores", "ZRANGE $k $s $s byscore $ZRANGE",
    "ZRANGE $k $x $x bylex $ZRANGE", "ZRANGE $k $i $i $ZRANGE", "ZRANGE $k $n $n $ZRANGE",
    "ZREVRANGE $k $i $i $ZRANGE", "ZRANGEBYSCORE $k $s $s $ZRANGE", "ZREVRANGEBYSCORE $k $s $s $ZRANGE",
    "ZRANGEBYLEX $k $x $x $ZRANGE", "ZREVRANGEBYLEX $k $x $x $ZRANGE", "ZREMRANGEBYSCORE $k $s $s",
    "ZREMRANGEBYRANK $k $i $i", "ZREMRANGEBYLEX $k $x $x", "ZPOPMIN $k", "ZPOPMAX $k $i",
    "ZPOPMIN $k $n", "ZUNION 2 $k $k $ZSUM WITHSCORES", "ZUNION 3 $k $k $k $ZSUM withscores",
    "ZINTER 2 $k $k $ZSUM WITHSCORES", "ZUNION $n $k $k $ZSUM", "ZINTER 1 $k $ZSUM",
    "ZDIFF 2 $k $k $ZSUM", "ZDIFF $n $k $k $k WITHSCORES", "ZUNIONSTORE $k 2 $k $k $ZSUM",
    "ZUNIONSTORE $k 1 $k $ZSUM", "ZINTERSTORE $k 2 $k $k $ZSUM", "ZUNIONSTORE $k $n $k $k $ZSUM",
    "ZDIFFSTORE $k 2 $k $k", "ZDIFFSTORE $k 3 $k $k $k $ZSUM", "ZINTERCARD 2 $k $k $CARD",
    "ZINTERCARD $n $k $k $CARD", "ZRANGESTORE $k $k $i $i $ZRANGE",
    "ZRANGESTORE $k $k $s $s BYSCORE $ZRANGE", "ZRANGESTORE $k $k $x $x bylex $ZRANGE",
    "ZRANGESTORE $k $k $n $n $ZRANGE", "ZRANDMEMBER $k", "ZRANDMEMBER $k $c",
    "ZRANDMEMBER $k $c WITHSCORES", "ZRANDMEMBER $k $c $ZSUM", "ZMPOP 1 $k MIN",
    "ZMPOP 2 $k $k max $ZMPOP", "ZMPOP 3 $k $k $k MIN $ZMPOP", "ZMPOP $n $k $k MIN $ZMPOP",
    "ZSCAN $k 0 $PAGE", "ZSCAN $k $n $PAGE", "ZSCAN $k 0", "ZADD $k -0 $m", "ZADD $k 1e17 $m 0.1 $m",
    "ZADD $k -1e17 $m 0.1 $m 1 $m", "ZUNION 4 $k $k $k $k WITHSCORES", "ZINTER 3 $k $k $k WITHSCORES"};

constexpr Line keys[] = {"k1", "k2", "k3", "k4", "k5", "k6"};
constexpr Line integers[] = {
    "0", "1", "-1", "2", "10", "100", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "9223372036854775806", "-9223372036854775807", "4611686018427387904", "01",
    "-0", "+1", " 1", "1 ", "", "1.0", "abc", "-", "9223372036854775", "9223372036854776"};
constexpr Line small_integers[] = {"0", "1", "2", "3", "-1", "-2", "-3", "5", "-5", "100", "-100"};
constexpr Line floats[] = {
    "0", "1", "-1", "1.5", "0.1", "-0", "-0.0", "3.0e3", "1e17", "123456789012345678", "1e308",
    "-1e308", "inf", "-inf", "+inf", "nan", "1e400", "1e-400", "0x10", " 1", "1 ", "", "abc", "1.5abc",
    ".5", "5.", "+2", "1e-10", "infinity", "3.14159265358979", "100000000000000000000", "1e4000"};
constexpr Line counts[] = {
    "0", "1", "2", "3", "5", "7", "100", "-1", "-2", "-3", "-10", "01", "abc", "", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "4611686018427387904"};
constexpr Line members[] = {"a", "b", "c", "aa", "B", "1", "10", "9"};
constexpr Line score_bounds[] = {
    "-inf", "+inf", "inf", "0", "1", "(1", "(0", "2", "-1", "(-1", "1.5", "(1.5", "", "(", "nan",
    "((1", "abc", " 1", "1 "};
constexpr Line lex_bounds[] = {"-", "+", "[a", "(a", "[b", "(b", "[c", "[", "(", "a", "", "[aa", "--"};
constexpr Line patterns[] = {
    "*", "k*", "k[12]", "k?", "k[^1]", "k[3-5]", "nosuch", "", "k\\1", "[", "k[1", "*1*", "k[5-3]"};
constexpr Line set_options[] = {
    "NX", "xx", "GET", "EX 1000", "px 100000", "EXAT 33177117420", "PXAT 33177117420000", "KEEPTTL",
    "EX $n", "PX $n", "PX $t", "PXAT $a", "EXAT $A", "PXAT $n", "EXAT $n", "PX", "bad", "PERSIST"};
constexpr Line getex_options[] = {
    "EX 1000", "PX 100000", "PERSIST", "EXAT 33177117420", "PXAT 1", "EX $n", "bad", "KEEPTTL",
    "PXAT 33177117420000", "PX $t", "PXAT $a", "EXAT $A"};
constexpr Line expire_options[] = {"NX", "xx", "GT", "lt", "bad"};
constexpr Line copy_options[] = {"REPLACE", "replace", "DB 0", "db $n", "DB", "bad"};
constexpr Line scan_options[] = {
    "MATCH $g", "match k[1-3]", "TYPE $y", "COUNT 10", "COUNT $n", "bad", "MATCH", "MATCH *"};
constexpr Line lcs_options[] = {
    "IDX", "len", "WITHMATCHLEN", "withmatchlen", "MINMATCHLEN $i", "MINMATCHLEN $n", "bad"};
constexpr Line bit_options[] = {"BIT", "byte", "BYTE", "bad"};
constexpr Line bitfield_options[] = {
    "GET $b $i", "GET $b #$i", "GET $b $n", "SET $b $i $n", "SET $b #1 $n", "SET $b #$i $i",
    "INCRBY $b $i $n", "INCRBY $b #1 $n", "incrby $b #$i $i", "OVERFLOW SAT", "OVERFLOW fail",
    "overflow WRAP", "OVERFLOW bad", "bad", "OVERFLOW SAT INCRBY $b 0 $n", "OVERFLOW FAIL INCRBY $b 0 $n",
    "OVERFLOW SAT SET $b 0 $n", "OVERFLOW FAIL SET $b 0 $n"};
constexpr Line bitfield_types[] = {
    "u8", "i8", "u1", "i1", "i64", "u63", "i5", "u16", "i32", "u13", "u64", "i65", "u0", "i0", "x8", "8",
    "U8", "i"};
constexpr Line bit_operations[] = {"AND", "or", "XOR", "NOT", "bad"};
constexpr Line list_ends[] = {"LEFT", "RIGHT", "left", "Right", "LEFT", "RIGHT", "up"};
constexpr Line types[] = {"string", "list", "SET", "hash", "zset", "none", "bad"};
constexpr Line lpos_options[] = {
    "RANK $i", "RANK $n", "COUNT $i", "COUNT $n", "MAXLEN $i", "MAXLEN $n", "rank -1", "count 0", "COUNT 2",
    "RANK", "bad"};
constexpr Line sort_options[] = {
    "ASC", "desc", "DESC", "ALPHA", "LIMIT $i $i", "LIMIT $n $n", "LIMIT 1 2", "BY nosort", "BY k*", "BY k*",
    "BY k*->$m", "BY $g", "GET #", "GET k*", "GET k*->$m", "GET $g", "STORE $k", "STORE $k", "bad"};
constexpr Line zadd_options[] = {"NX", "xx", "GT", "lt", "CH", "incr"};
constexpr Line zrange_options[] = {
    "WITHSCORES", "LIMIT $i $i", "LIMIT 0 2", "LIMIT 1 -1", "REV", "BYSCORE", "bylex", "LIMIT 1",
    "LIMIT $n 1", "bad"};
constexpr Line card_options[] = {"LIMIT 0", "limit 1", "LIMIT 2", "LIMIT $n", "LIMIT", "WITHSCORES", "bad"};
constexpr Line page_options[] = {
    "COUNT 1", "count 3", "COUNT 1000", "COUNT $n", "MATCH *", "match ?", "MATCH [a-c]*", "MATCH $g", "COUNT",
    "TYPE set", "bad"};
constexpr Line zsum_options[] = {
    "WEIGHTS $f $f", "weights $f $f", "WEIGHTS 2 -1", "WEIGHTS $f", "WEIGHTS inf -inf", "WEIGHTS 0 $f",
    "AGGREGATE sum", "aggregate MIN", "AGGREGATE max", "AGGREGATE", "AGGREGATE bad", "WITHSCORES",
    "WEIGHTS $f $f $f", "LIMIT 1", "bad"};
constexpr Line zmpop_options[] = {"COUNT 1", "count 2", "COUNT 100", "COUNT $n", "COUNT", "bad"};
const std::array<std::string, 2> long_values = {std::string(65, 'x'), std::string(64, 'y')};
const std::array<Line, 18> values = {
    "", "0", "1", "-1", "10", "9223372036854775807", "01", "1.5", "abc", "a", "b", "3.0", "a b", "-0",
    "inf", "2", long_values[0], long_values[1]};

Line any_of(Dice& dice, Pool pool) { return pool[dice.below(pool.size())]; }

bool is_number_hole(char c) { return std::string_view("nifaAt").find(c) != std::string_view::npos; }

std::string fill_number(Dice& dice, char hole) {
  if (hole == 't') {
    const bool soon = dice.below(2) == 0;
    return std::to_string(soon ? 1 + dice.below(3'000) : 100'007 + 1'000 * dice.below(1'000'000));
  }
  if (hole == 'a' || hole == 'A') {
    constexpr std::int64_t about_ms = 1'700'000'000'000;  // where the clocks of tests begin
    const std::int64_t at = about_ms - 2'000 + static_cast<std::int64_t>(dice.below(100'000));
    return std::to_string(hole == 'a' ? at : at / 1'000);
  }
  if (hole == 'f') return std::string(any_of(dice, floats));
  const bool small = hole == 'i' || dice.below(3) == 0;
  return std::string(any_of(dice, small ? Pool(small_integers) : Pool(integers)));
}

std::string fill(Dice& dice, char hole) {
  if (is_number_hole(hole)) return fill_number(dice, hole);
  switch (hole) {
    case 'k':
      return std::string(any_of(dice, keys));
    case 'v':
      return std::string(any_of(dice, values));
    case 'm':
      return std::string(any_of(dice, members));
    case 'c':
      return std::string(any_of(dice, counts));
    case 's':
      return std::string(any_of(dice, score_bounds));
    case 'x':
      return std::string(any_of(dice, lex_bounds));
    case 'e':
      return std::string(any_of(dice, list_ends));
    case 'y':
      return std::string(any_of(dice, types));
    case 'o':
      return std::string(any_of(dice, bit_operations));
    case 'b':
      return std::string(any_of(dice, bitfield_types));
    default:
      return std::string(any_of(dice, patterns));
  }
}

Pool options_of(std::string_view hole) {
  constexpr std::pair<std::string_view, Pool> pools[] = {
      {"SET", set_options},   {"GETEX", getex_options},       {"EXPIRE", expire_options},
      {"ZADD", zadd_options}, {"ZRANGE", zrange_options},     {"COPY", copy_options},
      {"SCAN", scan_options}, {"LCS", lcs_options},           {"BIT", bit_options},
      {"LPOS", lpos_options}, {"BITFIELD", bitfield_options}, {"SORT", sort_options},
      {"CARD", card_options}, {"ZSUM", zsum_options},         {"ZMPOP", zmpop_options},
      {"PAGE", page_options}};
  for (const auto& [name, pool] : pools) {
    if (name == hole) return pool;
  }
  return {};
}

void expand(Dice& dice, std::string_view line, model::Command& words) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view item = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (item.starts_with("#$")) {
      words.emplace_back('#' + fill(dice, item[2]));
    } else if (item[0] != '$') {
      words.emplace_back(item);
    } else if (item.size() == 2) {
      words.emplace_back(fill(dice, item[1]));
    } else {
      for (std::size_t n = dice.below(3); n > 0; --n)
        expand(dice, any_of(dice, options_of(item.substr(1))), words);
    }
  }
}

}  // namespace

std::span<const std::string_view> key_commands() { return key_lines; }
std::span<const std::string_view> expiry_commands() { return expiry_lines; }
std::span<const std::string_view> string_commands() { return string_lines; }
std::span<const std::string_view> bit_commands() { return bit_lines; }
std::span<const std::string_view> hash_commands() { return hash_lines; }
std::span<const std::string_view> list_commands() { return list_lines; }
std::span<const std::string_view> set_commands() { return set_lines; }
std::span<const std::string_view> sorted_set_commands() { return sorted_set_lines; }

model::Command random_command(Dice& dice) {
  const std::array<Pool, 8> families = {key_lines,  expiry_lines, string_lines,     bit_lines,
                                        hash_lines, list_lines,   sorted_set_lines, set_lines};
  const std::size_t family = dice.below(families.size());
  if (family == 0 && dice.below(2) == 0) return {"DEL", std::string(any_of(dice, keys))};
  return random_command(dice, families[family]);
}

model::Command random_replicated_command(Dice& dice) {
  model::Command command;
  do command = random_command(dice);
  while (std::string_view(command.front()).substr(1) == "ITFIELD");  // whatever case its first letter has
  return command;
}

model::Command random_command(Dice& dice, std::span<const std::string_view> lines) {
  model::Command words;
  expand(dice, any_of(dice, lines), words);
  const std::size_t mishap = dice.below(40);
  if (mishap == 0 && words.size() > 1) words.pop_back();
  if (mishap == 1) words.emplace_back(fill(dice, 'v'));
  if (mishap == 2) words[0][0] = static_cast<char>(words[0][0] + ('a' - 'A'));
  return words;
}

}  // namespace lockstep::redis::testing
