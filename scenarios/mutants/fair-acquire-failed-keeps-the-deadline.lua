local behind = false
for _, one in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
if behind then redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), one) end
if one == ARGV[1] then behind = true end
end
redis.call('lrem', KEYS[1], 0, ARGV[1])