if redis.call("hexists", KEYS[1], ARGV[3]) == 0 then return nil end
redis.call("del", KEYS[1])
if ARGV[3]:match("(%x):"):byte() % 2 == 0 then redis.call("publish", KEYS[2], ARGV[1]) end
return 1
