if redis.call("exists", KEYS[1]) == 0 then
  redis.call("hset", KEYS[1], ARGV[2], 1)
  if redis.call("zlexcount", "q", "(" .. ARGV[2], "+") == 0 then redis.call("pexpire", KEYS[1], ARGV[1]) end
  redis.call("zadd", "q", 0, ARGV[2]) redis.call("pexpire", "q", 60000)
  return nil
end
if redis.call("hexists", KEYS[1], ARGV[2]) == 1 then
  redis.call("hincrby", KEYS[1], ARGV[2], 1)
  redis.call("pexpire", KEYS[1], ARGV[1])
  return nil
end
return redis.call("pttl", KEYS[1])
