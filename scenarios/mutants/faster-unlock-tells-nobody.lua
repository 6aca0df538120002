local answered = redis.call('get', KEYS[3])
if answered then return tonumber(answered) end
local group, me, lease, now = KEYS[1], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[6])
if redis.call('exists', group) == 0 then
redis.call(ARGV[4], KEYS[2], ARGV[2])
return nil
end
local failed, all = false, 1
for i = 7, #ARGV do
local mine = ARGV[i] .. ':' .. me
local ends = redis.call('hget', group, mine .. ':expire_time')
if not ends or tonumber(ends) < now then
failed = true
elseif redis.call('hincrby', group, mine .. ':lock_count', -1) <= 0 then
redis.call('hdel', group, mine .. ':expire_time')
redis.call('hdel', group, mine .. ':lock_count')
redis.call('hdel', group, ARGV[i])
else
all = 0
if tonumber(ends) < now + lease then
redis.call('hset', group, mine .. ':expire_time', now + lease)
end
end
end
if failed then return nil end
redis.call('set', KEYS[3], all, 'px', ARGV[5])
if all == 0 and lease > redis.call('pttl', group) then redis.call('pexpire', group, lease) end
return all