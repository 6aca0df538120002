package org.redisson.renewal;

/** One request renews many locks: what it sends is put together in a loop. */
public class LockTask extends RenewalTask {
    public LockTask(long internalLockLeaseTime, CommandAsyncExecutor executor, int chunkSize) {
        super(internalLockLeaseTime, executor, chunkSize);
    }

    @Override
    CompletionStage<Void> renew(Iterator<String> iter, int chunkSize) {
        List<Object> args = new ArrayList<>(chunkSize + 1);
        args.add(internalLockLeaseTime);
        List<String> keys = new ArrayList<>(chunkSize);
        while (iter.hasNext()) {
            String key = iter.next();
            LockEntry entry = entries.get(key);
            Long threadId = entry == null ? null : entry.oldest();
            if (threadId == null) {
                continue;
            }
            keys.add(key);
            args.add(entry.getLockName(threadId));
            if (keys.size() == chunkSize) {
                break;
            }
        }
        if (keys.isEmpty()) {
            return nothingToDo();
        }
        return executor.syncedEval(keys.get(0), LongCodec.INSTANCE, new RedisCommand<>("EVAL", new Decoder(keys)),
                "local lease = ARGV[1] " +
                "return lease;",
                new ArrayList<>(keys),
                args.toArray()).thenCompose(gone -> {
                    keys.removeAll(gone);
                    return renew(iter, chunkSize);
                });
    }
}
