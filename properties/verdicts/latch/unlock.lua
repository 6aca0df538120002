local answered = redis.call('get', KEYS[3])
if answered then return tonumber(answered) end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
local left = redis.call('hincrby', KEYS[1], ARGV[3], -1)
if left > 0 then
redis.call('pexpire', KEYS[1], ARGV[2])
redis.call('set', KEYS[3], 0, 'px', ARGV[5])
return 0
end
redis.call('del', KEYS[1])
redis.call(ARGV[4], KEYS[2], ARGV[1])
redis.call('set', KEYS[3], 1, 'px', ARGV[5])
return 1
