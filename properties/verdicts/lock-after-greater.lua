if redis.call("exists", KEYS[1]) == 0 then
  redis.call("hset", KEYS[1], ARGV[2], 1)
  local last = redis.call("get", "last")
  if not (last and last > ARGV[2]) then redis.call("pexpire", KEYS[1], ARGV[1]) end
  redis.call("set", "last", ARGV[2], "px", 60000)
  return nil
end
if redis.call("hexists", KEYS[1], ARGV[2]) == 1 then
  redis.call("hincrby", KEYS[1], ARGV[2], 1)
  redis.call("pexpire", KEYS[1], ARGV[1])
  return nil
end
return redis.call("pttl", KEYS[1])
