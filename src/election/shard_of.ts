const utf8 = new TextEncoder();

/**
 * Returns the shard of a key. It is the same on every runtime and in every version of the library.
 *
 * The shard is the 32-bit FNV-1a hash of the key's UTF-8, mixed by the finalizer of MurmurHash3, modulo `shards`. Without
 * the mixing, the low bits would depend on too few bits of the key.
 *
 * @param key The key, as in `namespace/name`.
 * @param shards The number of shards, at least 1.
 * @returns The number of the shard, from 0.
 *
 * @example
 * ```ts
 * import { shardOf } from "@kubeloop/controller/election";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(shardOf("default/web", 16), shardOf("default/web", 16));
 * ```
 */
export function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(key)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}
