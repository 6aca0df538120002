while true do
local first = redis.call('lindex', KEYS[2], 0)
if not first then break end
local deadline = redis.call('zscore', KEYS[3], first)
if not deadline or tonumber(deadline) > tonumber(ARGV[3]) then break end
redis.call('zrem', KEYS[3], first)
redis.call('lpop', KEYS[2])
end
if redis.call('exists', KEYS[1]) == 0 and
(redis.call('exists', KEYS[2]) == 0 or redis.call('lindex', KEYS[2], 0) == ARGV[2]) then
redis.call('lpop', KEYS[2])
redis.call('zrem', KEYS[3], ARGV[2])
for _, other in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do
redis.call('zincrby', KEYS[3], -tonumber(ARGV[4]), other)
end
redis.call('hset', KEYS[1], ARGV[2], 1)
redis.call('pexpire', KEYS[1], ARGV[1])
return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then return redis.error_reply(ARGV[5]) end
return 1