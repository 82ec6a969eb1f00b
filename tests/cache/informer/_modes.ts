/** The states of an informer and the kinds of source with which every test of an informer runs. */

import { assertEquals } from "@std/assert";
import type { ResourceEventHandler, SharedInformer } from "../../../src/cache/mod.ts";
import { SeededRandom, type VirtualClock } from "../../../src/testing/mod.ts";
import type { Cached, ListerWatcher, Pod } from "../../../src/types/mod.ts";
import { ofIdentities } from "../../support/of_identities.ts";
import { seededRuns } from "../../support/seeded_runs.ts";
import { overBytes } from "./_over_bytes.ts";

const encoder = new TextEncoder();

/** A state of an informer, and the form in which its source delivers objects. */
export interface Mode {
  /** The name of the mode in test names. */
  readonly name: string;
  /** Whether the source delivers bytes. */
  readonly isOverBytes: boolean;
  /**
   * The content of the cache: parsed objects; bytes, with handlers that get identities only; or bytes at first and parsed
   * objects from a random notification on.
   */
  readonly keeps: "parsed" | "bytes" | "both";
}

/** Parsed objects, from a source of objects. */
export const PLAIN: Mode = { name: "parsed", isOverBytes: false, keeps: "parsed" };

/** All modes. */
export const MODES: readonly Mode[] = [
  PLAIN,
  { name: "parsed, from bytes", isOverBytes: true, keeps: "parsed" },
  { name: "bytes", isOverBytes: true, keeps: "bytes" },
  { name: "bytes, then parsed", isOverBytes: true, keeps: "both" },
];

/** Adapts a source of objects to a mode. */
export function sourceOf(
  mode: Mode,
  source: ListerWatcher<Pod>,
  clock: VirtualClock,
): ListerWatcher<Pod> {
  return mode.isOverBytes ? overBytes(source, clock) : source;
}

/**
 * Brings an informer into the state of a mode, and lets tests that are written for objects run with it: handlers that a
 * test adds are called with the identities of objects, in the place where objects have them.
 */
export function bringInto(mode: Mode, informer: SharedInformer<Pod>): void {
  if (mode.keeps === "parsed") return;
  const random = new SeededRandom(seededRuns.seed + informer.name.length);
  let left = mode.keeps === "bytes" ? Infinity : Math.floor(random.next() * 6);
  if (left === 0) informer.keepParsed();
  Object.assign(informer, {
    addEventHandler: (
      handler: ResourceEventHandler<Cached<Pod>>,
      options: Parameters<SharedInformer["addEventHandler"]>[1],
    ) => {
      if (typeof handler !== "object") return informer.addChangeHandler(handler, options);
      const call = ofIdentities(handler);
      return informer.addChangeHandler((change) => {
        if (--left === 0) informer.keepParsed();
        return call(change);
      }, options);
    },
  });
}

/**
 * Asserts that an informer keeps only the bytes of the objects that it holds, or none if it keeps parsed objects. The
 * objects must have been encoded by JSON.stringify.
 */
export function assertNoBytesLeft(informer: SharedInformer<Pod>): void {
  const { objectBytes } = informer.snapshot();
  if (objectBytes === undefined) return;
  const sizes = informer.indexer.list().map((obj) => encoder.encode(JSON.stringify(obj)).length);
  assertEquals(objectBytes, sizes.reduce((a, b) => a + b, 0));
}
