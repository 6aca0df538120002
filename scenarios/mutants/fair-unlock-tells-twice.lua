local answered = redis.call('get', KEYS[5])
if answered then return tonumber(answered) end
while true do
local first = redis.call('lindex', KEYS[2], 0)
if not first then break end
local deadline = redis.call('zscore', KEYS[3], first)
if not deadline or tonumber(deadline) > tonumber(ARGV[4]) then break end
redis.call('zrem', KEYS[3], first)
redis.call('lpop', KEYS[2])
end
if redis.call('exists', KEYS[1]) == 0 then
local first = redis.call('lindex', KEYS[2], 0)
if first then redis.call(ARGV[5], KEYS[4] .. ':' .. first, ARGV[1]) end
redis.call('set', KEYS[5], 1, 'px', ARGV[6])
return 1
end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
redis.call('pexpire', KEYS[1], ARGV[2])
redis.call('set', KEYS[5], 0, 'px', ARGV[6])
return 0
end
redis.call('del', KEYS[1])
redis.call('set', KEYS[5], 1, 'px', ARGV[6])
local first = redis.call('lindex', KEYS[2], 0)
if first then redis.call(ARGV[5], KEYS[4] .. ':' .. first, ARGV[1]) end
if first then redis.call(ARGV[5], KEYS[4] .. ':' .. first, ARGV[1]) end
return 1