if redis.call("exists", KEYS[1]) == 0 then
  redis.call("hset", KEYS[1], ARGV[2], 1)
  local n = redis.call("zcard", "q")
  redis.call("zadd", "q", n, ARGV[2]) redis.call("pexpire", "q", 60000)
  if redis.call("zrank", "q", ARGV[2]) == n then redis.call("pexpire", KEYS[1], ARGV[1]) end
  return nil
end
if redis.call("hexists", KEYS[1], ARGV[2]) == 1 then
  redis.call("hincrby", KEYS[1], ARGV[2], 1)
  redis.call("pexpire", KEYS[1], ARGV[1])
  return nil
end
return redis.call("pttl", KEYS[1])
