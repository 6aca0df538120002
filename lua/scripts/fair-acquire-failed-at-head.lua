if redis.call('lindex', KEYS[1], 0) == ARGV[1] then
for _, one in ipairs(redis.call('zrange', KEYS[2], 0, -1)) do
redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), one)
end
end
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('lrem', KEYS[1], 0, ARGV[1])