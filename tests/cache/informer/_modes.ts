/** The states of an informer and the kinds of source with which every test of an informer runs. */

import { assertEquals } from "@std/assert";
import type {
  ResourceEventHandler,
  SharedInformer,
  SharedInformerOptions,
} from "../../../src/cache/mod.ts";
import { SeededRandom, type VirtualClock } from "../../../src/testing/mod.ts";
import { type Cached, type ListerWatcher, type Pod, Pods } from "../../../src/types/mod.ts";
import { encodeMessage, SCHEMAS } from "../../../src/testing/api_server/schema/mod.ts";
import type { JsonObject } from "../../../src/testing/values/mod.ts";
import { ofIdentities } from "../../support/of_identities.ts";
import { seededRuns } from "../../support/seeded_runs.ts";
import { type Encoding, overBytes } from "./_over_bytes.ts";

const encoder = new TextEncoder();

/** A state of an informer, and the form in which its source delivers objects. */
export interface Mode {
  /** The name of the mode in test names. */
  readonly name: string;
  /** The encoding of the bytes that the source delivers; undefined if it delivers objects. */
  readonly encoding: Encoding | undefined;
  /**
   * The content of the cache: parsed objects; bytes, with handlers that get identities only; or bytes at first and parsed
   * objects from a random notification on.
   */
  readonly keeps: "parsed" | "bytes" | "both";
}

/** Parsed objects, from a source of objects. */
export const PLAIN: Mode = { name: "parsed", encoding: undefined, keeps: "parsed" };

/** All modes. */
export const MODES: readonly Mode[] = [
  PLAIN,
  { name: "parsed, from bytes", encoding: "json", keeps: "parsed" },
  { name: "bytes", encoding: "json", keeps: "bytes" },
  { name: "bytes, then parsed", encoding: "json", keeps: "both" },
  { name: "protobuf", encoding: "protobuf", keeps: "bytes" },
  { name: "protobuf, then parsed", encoding: "protobuf", keeps: "both" },
];

/** Returns the options of an informer in a mode: protobuf is requested of a known resource. */
export function optionsOf(mode: Mode): SharedInformerOptions<Pod> {
  return mode.encoding === "protobuf" ? { resource: Pods } : {};
}

/** Adapts a source of objects to a mode. */
export function sourceOf(
  mode: Mode,
  source: ListerWatcher<Pod>,
  clock: VirtualClock,
): ListerWatcher<Pod> {
  return mode.encoding === undefined ? source : overBytes(source, clock, mode.encoding);
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
 * objects must have been encoded by JSON.stringify, or in protobuf.
 */
export function assertNoBytesLeft(
  informer: SharedInformer<Pod>,
  encoding: Encoding = "json",
): void {
  const { objectBytes } = informer.snapshot();
  if (objectBytes === undefined) return;
  const sizeOf = encoding === "protobuf" ? messageSize : jsonSize;
  const sizes = informer.indexer.list().map(sizeOf);
  assertEquals(objectBytes, sizes.reduce((a, b) => a + b, 0));
}

function jsonSize(pod: Cached<Pod>): number {
  return encoder.encode(JSON.stringify(pod)).length;
}

function messageSize(pod: Cached<Pod>): number {
  return encodeMessage(pod as unknown as JsonObject, SCHEMAS.struct("core.Pod")!).length;
}
