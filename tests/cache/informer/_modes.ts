/** The kinds of cache and source with which every test of an informer runs. */

import { assertEquals } from "@std/assert";
import {
  type CacheKind,
  DeletedFinalStateUnknown,
  ObjectRef,
  type SharedInformer,
} from "../../../src/cache/mod.ts";
import type { VirtualClock } from "../../../src/testing/mod.ts";
import type { ListerWatcher, Pod } from "../../../src/types/mod.ts";
import { overBytes } from "./_over_bytes.ts";

const encoder = new TextEncoder();

/** A kind of cache, and the form in which its source delivers objects. */
export interface Mode {
  /** The name of the mode in test names. */
  readonly name: string;
  /** The kind of cache of the informer. */
  readonly cache: CacheKind;
  /** Adapts a source of objects to this mode. */
  source(source: ListerWatcher<Pod>, clock: VirtualClock): ListerWatcher<Pod>;
}

/** A plain cache. */
export const PLAIN: Mode = { name: "plain", cache: "plain", source: (source) => source };

/**
 * All modes: a plain cache, a compact cache filled from objects, and a compact cache filled from the bytes of
 * responses.
 */
export const MODES: readonly Mode[] = [
  PLAIN,
  { name: "compact", cache: "compact", source: (source) => source },
  { name: "compact, from bytes", cache: "compact", source: overBytes },
];

/**
 * Asserts that a compact cache keeps only the bytes of the objects that it holds. The objects must have been encoded by
 * JSON.stringify.
 */
export function assertNoBytesLeft(informer: SharedInformer<Pod, "compact" | "plain">): void {
  const { objectBytes } = informer.snapshot();
  const sizes = informer.indexer.list().map((obj) => encoder.encode(JSON.stringify(obj)).length);
  assertEquals(objectBytes, sizes.reduce((a, b) => a + b, 0));
}

/** Returns the object that a handler received, directly, in a tombstone or as a reference. */
export function objectOf<T>(handed: T | DeletedFinalStateUnknown<T>): T {
  const obj = DeletedFinalStateUnknown.lastKnownState(handed);
  return ObjectRef.is(obj) ? obj.object() as T : obj as T;
}
