local holder = redis.call('hkeys', KEYS[1])[1]
if holder and holder ~= ARGV[2] and ARGV[2] < holder then
redis.call('del', KEYS[1])
holder = nil
end
if not holder or holder == ARGV[2] then
redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('pexpire', KEYS[1], ARGV[1])
return nil
end
return redis.call('pttl', KEYS[1])
