/** The ways to keep objects, all of which every test of an informer goes through. */

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

/** How an informer keeps its objects, and how they come to it. */
export interface Mode {
  /** What test names call it. */
  readonly name: string;
  /** What the informer is made with. */
  readonly cache: CacheKind;
  /** Puts a source where the objects come from in this mode. */
  source(source: ListerWatcher<Pod>, clock: VirtualClock): ListerWatcher<Pod>;
}

/** Objects as the source gives them. */
export const PLAIN: Mode = { name: "plain", cache: "plain", source: (source) => source };

/** All of them: from objects, from objects made references, and from the bytes of answers. */
export const MODES: readonly Mode[] = [
  PLAIN,
  { name: "compact", cache: "compact", source: (source) => source },
  { name: "compact, from bytes", cache: "compact", source: overBytes },
];

/**
 * Asserts that a compact cache keeps the bytes of what is in it, and of nothing else. The objects must have been written
 * by JSON.stringify.
 */
export function assertNoBytesLeft(informer: SharedInformer<Pod, "compact" | "plain">): void {
  const { objectBytes } = informer.snapshot();
  const sizes = informer.indexer.list().map((obj) => encoder.encode(JSON.stringify(obj)).length);
  assertEquals(objectBytes, sizes.reduce((a, b) => a + b, 0));
}

/** The object that a handler was given, or that a reference it was given stands for. */
export function objectOf<T>(handed: T | DeletedFinalStateUnknown<T>): T {
  const obj = DeletedFinalStateUnknown.lastKnownState(handed);
  return ObjectRef.is(obj) ? obj.object() as T : obj as T;
}
