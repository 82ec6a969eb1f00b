import {
  answerSchema,
  encodeList,
  encodeMessage,
  encodeProtobuf,
  SCHEMAS,
  watchFrame,
} from "../../../src/testing/api_server/schema/mod.ts";
import type { JsonObject } from "../../../src/testing/values/mod.ts";
import { EventFrames, NOT_SENT } from "./event_frames.ts";
import { makeOwner, makePod, type PodShape } from "./pods.ts";
import { Slab } from "./slab.ts";

/** A number that keeps ten digits after any number of events, because frames have a fixed length. */
const FIRST_VERSION = 1_000_000_000;
/** A prime, so that events have another order than the list, and each round has one event of each Pod. */
const STRIDE = 7919;

/** The number of Pods, and their shape. */
export interface Fixture extends PodShape {
  readonly pods: number;
}

/** Returns the resource version of the list. Events have the versions after it. */
export function listVersion({ pods }: Fixture): number {
  return FIRST_VERSION + pods;
}

/** The metadata of a list. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The objects in one wire format. */
export interface Representation {
  readonly contentType: string;
  readonly watchContentType: string;
  /** Returns the list of the objects `from` … `to` - 1, in pieces. */
  list(from: number, to: number, meta: ListMeta): Uint8Array<ArrayBuffer>[];
  /** Returns the events of watches, which are created on first use. */
  events(): EventFrames;
  /** Returns the initial events of a streaming list. */
  initialEvents(from: number, to: number): Uint8Array<ArrayBuffer>;
  bookmark(resourceVersion: string, annotations?: Record<string, string>): Uint8Array<ArrayBuffer>;
  /** Returns an ERROR event. */
  error(status: JsonObject): Uint8Array<ArrayBuffer>;
}

/** The objects: Pods, the metadata of Pods, or the ReplicaSets that are the controller owners of the Pods. */
export type View = "Pod" | "PartialObjectMetadata" | "ReplicaSet";

/** The wire formats. */
export type Encoding = "json" | "protobuf";

const API_VERSIONS: Readonly<Record<View, string>> = {
  Pod: "v1",
  PartialObjectMetadata: "meta.k8s.io/v1",
  ReplicaSet: "apps/v1",
};

interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
}

/** How a wire format writes objects and lists of them. */
interface Format {
  readonly contentType: string;
  readonly watchContentType: string;
  event(type: string, object: JsonObject): string | Uint8Array<ArrayBuffer>;
  /** Returns an object as a part of a list. */
  item(object: JsonObject): string | Uint8Array<ArrayBuffer>;
  /** Returns a list of the items `from` … `to` - 1, in pieces. */
  list(
    head: ListHead,
    items: Slab,
    range: { readonly from: number; readonly to: number },
  ): Uint8Array<ArrayBuffer>[];
}

const encoder = new TextEncoder();

const JSON_FORMAT: Format = {
  contentType: "application/json",
  watchContentType: "application/json",
  event: (type, object) => `${JSON.stringify({ type, object })}\n`,
  item: (object) => `${JSON.stringify(object)},`,
  list: (head, items, { from, to }) => [
    encoder.encode(`${JSON.stringify(head).slice(0, -1)},"items":[`),
    // Without the last comma.
    from === to ? new Uint8Array() : items.view(from, to).subarray(0, -1),
    encoder.encode("]}\n"),
  ],
};

const PROTOBUF_FORMAT: Format = {
  contentType: "application/vnd.kubernetes.protobuf",
  watchContentType: "application/vnd.kubernetes.protobuf;stream=watch",
  event: (type, object) => watchFrame(type, encodeProtobuf(object, schemaOf(object))),
  item: (object) => encodeMessage(object, schemaOf(object)),
  list: (head, items, { from, to }) => {
    const metadata = encodeMessage({ ...head.metadata }, SCHEMAS.struct("meta.ListMeta"));
    const pieces = Array.from(
      { length: to - from },
      (_, i) => items.view(from + i, from + i + 1),
    );
    return [encodeList(head, metadata, pieces)];
  },
};

function schemaOf({ apiVersion, kind }: JsonObject) {
  return answerSchema(SCHEMAS, `${apiVersion}`, `${kind}`);
}

/** Returns the objects in a wire format. */
export function representation(
  fixture: Fixture,
  view: View,
  encoding: Encoding = "json",
): Representation {
  const { pods } = fixture;
  const format = encoding === "json" ? JSON_FORMAT : PROTOBUF_FORMAT;
  const { contentType, watchContentType } = format;
  const capacity = pods * Math.ceil(fixture.bytes * (view === "Pod" ? 1.1 : 0.4)) + 4096;
  const slabOf = (piece: (index: number) => string | Uint8Array) => {
    const slab = new Slab(capacity);
    for (let i = 0; i < pods; i++) slab.push(piece(i));
    return slab;
  };
  const listed = (i: number) => objectOf(fixture, view, i, FIRST_VERSION + i);
  // In JSON, the items of a list of a built-in kind have no kind and apiVersion.
  const isBare = encoding === "json" && fixture.keyOrder === "typed" &&
    view !== "PartialObjectMetadata";
  const items = slabOf((i) => format.item(isBare ? withoutKind(listed(i)) : listed(i)));
  const initial = lazy(() => slabOf((i) => format.event("ADDED", listed(i))));
  const firstVersion = listVersion(fixture) + 1;
  const events = lazy(() => {
    const changed = (i: number) => objectOf(fixture, view, i * STRIDE % pods, firstVersion + i);
    return new EventFrames(slabOf((i) => format.event("MODIFIED", changed(i))), firstVersion);
  });
  const apiVersion = API_VERSIONS[view];
  return {
    contentType,
    watchContentType,
    events,
    initialEvents: (from, to) => initial().view(from, to),
    list: (from, to, metadata) =>
      format.list({ kind: `${view}List`, apiVersion, metadata }, items, { from, to }),
    bookmark: (resourceVersion, annotations) => {
      const metadata = { resourceVersion, creationTimestamp: null, annotations };
      const fields = view === "Pod" ? { spec: { containers: null }, status: {} } : {};
      return bytesOf(format.event("BOOKMARK", { kind: view, apiVersion, metadata, ...fields }));
    },
    error: (status) => bytesOf(format.event("ERROR", status)),
  };
}

function bytesOf(event: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof event === "string" ? encoder.encode(event) : event;
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

function objectOf(fixture: Fixture, view: View, index: number, version: number): JsonObject {
  const resourceVersion = `${version}`;
  if (view === "ReplicaSet") return makeOwner(index, fixture, resourceVersion);
  const pod = makePod(index, fixture, { resourceVersion, sentAt: NOT_SENT });
  if (view === "Pod") return pod;
  return { kind: view, apiVersion: API_VERSIONS[view], metadata: pod["metadata"] };
}

function withoutKind({ kind: _, apiVersion: __, ...fields }: JsonObject): JsonObject {
  return fields;
}
