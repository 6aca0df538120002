for i = 2, #ARGV do
local owner = redis.call('hget', KEYS[1], ARGV[i])
if owner then
local ends = redis.call('hget', KEYS[1], ARGV[i] .. ':' .. owner .. ':expire_time')
if ends and tonumber(ends) >= tonumber(ARGV[1]) then return 1 end
end
end
return 0