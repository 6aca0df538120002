local any = 0
for _, key in ipairs({KEYS[1], KEYS[2]}) do
if redis.call('pexpire', key, ARGV[1]) == 1 then any = 1 end
end
return any