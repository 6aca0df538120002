if redis.call('exists', KEYS[1]) == 0 then return 0 end
for i = 4, #ARGV do
local ends = redis.call('hget', KEYS[1], ARGV[i] .. ':' .. ARGV[2] .. ':expire_time')
if not ends or tonumber(ends) < tonumber(ARGV[1]) then return 0 end
end
return 1