if redis.call("exists", KEYS[1]) == 0 then
  redis.call("hset", KEYS[1], ARGV[2], 1)
  redis.call("append", "l", ARGV[2] .. ",") redis.call("pexpire", "l", 60000)
  local a, b = redis.call("get", "l"):match("([^,]+),([^,]+),")
  if not (a and a > b) then redis.call("pexpire", KEYS[1], ARGV[1]) end
  return nil
end
if redis.call("hexists", KEYS[1], ARGV[2]) == 1 then
  redis.call("hincrby", KEYS[1], ARGV[2], 1)
  redis.call("pexpire", KEYS[1], ARGV[1])
  return nil
end
return redis.call("pttl", KEYS[1])
