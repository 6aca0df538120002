package org.redisson.renewal;

/** Of each lock two keys and any number of holders. */
public class ReadLockTask extends LockTask {
    @Override
    CompletionStage<Void> renew(Iterator<String> iter, int chunkSize) {
        return Chunks.all(iter, chunkSize, this::buildChunk);
    }

    private Chunk buildChunk(Iterator<String> iter, int chunkSize) {
        List<Object> args = new ArrayList<>();
        args.add(internalLockLeaseTime);
        List<String> keys = new ArrayList<>(chunkSize);
        List<Object> keysArgs = new ArrayList<>(chunkSize);
        while (iter.hasNext() && keys.size() < chunkSize) {
            String key = iter.next();
            ReadLockEntry entry = (ReadLockEntry) entries.get(key);
            if (entry == null) {
                continue;
            }
            Long threadId = entry.oldest();
            String keyPrefix = entry.getKeyPrefix(threadId);
            keys.add(key);
            keysArgs.add(key);
            keysArgs.add(keyPrefix);
            Map<Long, String> snapshot = new LinkedHashMap<>(entry.threadId2lockName);
            List<String> lockNames = new ArrayList<>(snapshot.values());
            args.add(lockNames.size());
            args.addAll(lockNames);
        }
        return new Chunk(tracked(executor.syncedEval(keys.get(0), LongCodec.INSTANCE, new RedisCommand<>("EVAL", new Decoder(keys)),
                "local lease, first = ARGV[1], KEYS[2] " +
                "return lease;",
                keysArgs,
                args.toArray())), gone -> keys.removeAll(gone));
    }
}
