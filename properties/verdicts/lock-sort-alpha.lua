if redis.call("exists", KEYS[1]) == 0 then
  redis.call("hset", KEYS[1], ARGV[2], 1)
  redis.call("rpush", "l", ARGV[2]) redis.call("pexpire", "l", 60000)
  if redis.call("sort", "l", "alpha", "limit", 0, 1)[1] == redis.call("lindex", "l", 0) then redis.call("pexpire", KEYS[1], ARGV[1]) end
  return nil
end
if redis.call("hexists", KEYS[1], ARGV[2]) == 1 then
  redis.call("hincrby", KEYS[1], ARGV[2], 1)
  redis.call("pexpire", KEYS[1], ARGV[1])
  return nil
end
return redis.call("pttl", KEYS[1])
