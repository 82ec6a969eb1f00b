/**
 * Reports whether `hostname`, as a `URL` spells it, is this machine: an address of 127.0.0.0/8, `::1`, or `localhost`.
 * The rule is that of Go, which never uses a proxy for these names.
 *
 * No other name counts, not even below `localhost`: many resolvers ask the network for `a.localhost`.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname) ||
    // 127.0.0.0/8 as an IPv6 address.
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname);
}

/**
 * Reports whether requests to `url` must not use a proxy that only the environment names, because they are not encrypted:
 * the proxy, and everyone on the way to it, could read them.
 */
export function isUnencrypted(url: string): boolean {
  return new URL(url).protocol === "http:";
}
