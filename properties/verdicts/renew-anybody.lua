if redis.call('exists', KEYS[1]) == 1 then
redis.call('pexpire', KEYS[1], ARGV[1])
return 1
end
return 0
