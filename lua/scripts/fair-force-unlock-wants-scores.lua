while true do
local first = redis.call('lindex', KEYS[2], 0)
if not first then break end
if tonumber(redis.call('zscore', KEYS[3], first)) > tonumber(ARGV[2]) then break end
redis.call('zrem', KEYS[3], first)
redis.call('lpop', KEYS[2])
end
if redis.call('del', KEYS[1]) == 0 then return 0 end
local first = redis.call('lindex', KEYS[2], 0)
if first then redis.call('publish', KEYS[4] .. ':' .. first, ARGV[1]) end
return 1