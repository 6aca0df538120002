package org.redisson;
public abstract class RedissonObject implements RObject {
    protected String name;
    public static String prefixName(String prefix, String name) {
        if (name.contains("{")) {
            return prefix + ":" + name;
        }
        return prefix + ":{" + name + "}";
    }
    public static String suffixName(String name, String suffix) {
        if (name.contains("{")) {
            return name + ":" + suffix;
        }
        return "{" + name + "}:" + suffix;
    }
    @Override
    public String getRawName() {
        return name;
    }
}
