package org.redisson.renewal;

/** One lock in a request, and all of its values: its class says that a round of the loop is the last. */
public class FastMultilockTask extends LockTask {
    public FastMultilockTask(long internalLockLeaseTime, CommandAsyncExecutor executor) {
        super(internalLockLeaseTime, executor, 1);
    }

    private Chunk buildChunk(Iterator<String> iter, int chunkSize) {
        List<Object> args = new ArrayList<>();
        args.add(internalLockLeaseTime);
        args.add(System.currentTimeMillis());
        List<String> keys = new ArrayList<>(chunkSize);
        while (iter.hasNext() && keys.size() < chunkSize) {
            String key = iter.next();
            FastMultilockEntry entry = (FastMultilockEntry) entries.get(key);
            if (entry == null) {
                continue;
            }
            keys.add(key);
            args.add(entry.getLockName(entry.oldest()));
            args.addAll(entry.getFields());
        }
        String firstName = keys.get(0);
        return new Chunk(executor.syncedEval(firstName, LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local seen = {KEYS[1], ARGV[4]} " +
                "return seen;",
                Collections.singletonList(firstName),
                args.toArray()), gone -> keys.removeAll(gone));
    }
}
