import { type Item, PackedObject } from "../../cache/mod.ts";
import type { Cached, KubeObject } from "../../types/mod.ts";
import type { RecentVersion } from "../stories/mod.ts";

/** The memory of the versions, in bytes: a hundred changes of large Pods. */
const MAX_BYTES = 2 ** 20;
/** A larger object is not kept: both versions of a change must fit. */
const MAX_OBJECT_BYTES = MAX_BYTES / 2;

/**
 * The last versions of changed objects, whose bytes the caches have released. They are kept in a ring, so that a flood of
 * changes takes no more memory: the oldest are overwritten.
 */
export class RecentVersions {
  #ring = new Uint8Array(0);
  /** The number of bytes written so far; the ring has the last ones. */
  #written = 0;

  /** Keeps a version that a cache reports. */
  keep(item: Item<KubeObject>): RecentVersion | undefined {
    if (!(item instanceof PackedObject)) return { read: () => item as Cached<KubeObject> };
    if (item.isParsed) return { read: () => item.object() as Cached<KubeObject> };
    const { size } = item;
    if (size > MAX_OBJECT_BYTES) return undefined;
    if (this.#ring.length === 0) this.#ring = new Uint8Array(MAX_BYTES);
    const room = MAX_BYTES - this.#written % MAX_BYTES;
    if (room < size) this.#written += room;
    const from = this.#written;
    const start = from % MAX_BYTES;
    item.copyTo(this.#ring, start);
    this.#written += size;
    return {
      read: () =>
        this.#written - from > MAX_BYTES
          ? undefined
          : item.parse(this.#ring, start, start + size) as Cached<KubeObject>,
    };
  }
}
