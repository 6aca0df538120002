local holder = redis.call('hkeys', KEYS[1])[1]
if holder and holder ~= ARGV[2] then
redis.call('zadd', 'order', 0, holder, 0, ARGV[2])
local first = redis.call('zrange', 'order', 0, 0)[1]
redis.call('del', 'order')
if first ~= ARGV[2] then
return redis.call('pttl', KEYS[1])
end
redis.call('del', KEYS[1])
end
redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('pexpire', KEYS[1], ARGV[1])
return nil
