return redis.error_reply('ERR boom')
