import { EventFrames, NOT_SENT } from "./event_frames.ts";
import { makePod, type PodShape } from "./pods.ts";
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

/** The Pods in one wire format. */
export interface Representation {
  readonly contentType: string;
  readonly watchContentType: string;
  /** Returns the list of the Pods `from` … `to` - 1, in pieces. */
  list(from: number, to: number, meta: ListMeta): Uint8Array<ArrayBuffer>[];
  /** Returns the events of watches, which are created on first use. */
  events(): EventFrames;
  /** Returns the initial events of a streaming list; empty if the format does not support streaming lists. */
  initialEvents(from: number, to: number): Uint8Array<ArrayBuffer>;
  bookmark(resourceVersion: string, annotations?: Record<string, string>): Uint8Array<ArrayBuffer>;
}

/** JSON: whole Pods, or their metadata alone. */
export type JsonView = "Object" | "PartialObjectMetadata";

const encoder = new TextEncoder();

/** Returns the Pods as JSON. */
export function jsonRepresentation(fixture: Fixture, view: JsonView): Representation {
  const { pods } = fixture;
  const capacity = pods * Math.ceil(fixture.bytes * (view === "Object" ? 1.1 : 0.4)) + 4096;
  const slabOf = (piece: (index: number) => string) => {
    const slab = new Slab(capacity);
    for (let i = 0; i < pods; i++) slab.push(piece(i));
    return slab;
  };
  const listed = (i: number) => podText(fixture, view, i, FIRST_VERSION + i);
  const items = slabOf((i) =>
    isTyped(fixture, view) ? `${withoutKind(listed(i))},` : `${listed(i)},`
  );
  const initial = lazy(() => slabOf((i) => `{"type":"ADDED","object":${listed(i)}}\n`));
  const firstVersion = listVersion(fixture) + 1;
  const events = lazy(() => {
    const frame = (i: number) => podText(fixture, view, i * STRIDE % pods, firstVersion + i);
    return new EventFrames(
      slabOf((i) => `{"type":"MODIFIED","object":${frame(i)}}\n`),
      firstVersion,
    );
  });
  const [kind, apiVersion] = view === "Object" ? ["Pod", "v1"] : [view, "meta.k8s.io/v1"];
  return {
    contentType: "application/json",
    watchContentType: "application/json",
    events,
    initialEvents: (from, to) => initial().view(from, to),
    list(from, to, meta) {
      const head = { kind: `${kind}List`, apiVersion, metadata: meta };
      return [
        encoder.encode(`${JSON.stringify(head).slice(0, -1)},"items":[`),
        from === to ? new Uint8Array() : items.view(from, to).subarray(0, -1),
        encoder.encode("]}\n"),
      ];
    },
    bookmark: (resourceVersion, annotations) => {
      const metadata = { resourceVersion, creationTimestamp: null, annotations };
      const object = view === "Object"
        ? { kind, apiVersion, metadata, spec: { containers: null }, status: {} }
        : { kind, apiVersion, metadata };
      return encoder.encode(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

function podText(fixture: Fixture, view: JsonView, index: number, version: number): string {
  const pod = makePod(index, fixture, { resourceVersion: `${version}`, sentAt: NOT_SENT });
  if (view === "Object") return JSON.stringify(pod);
  return JSON.stringify({ kind: view, apiVersion: "meta.k8s.io/v1", metadata: pod["metadata"] });
}

/** Reports whether the items of lists have no kind and apiVersion, as those of built-in kinds. */
function isTyped({ keyOrder }: Fixture, view: JsonView): boolean {
  return keyOrder === "typed" && view === "Object";
}

function withoutKind(pod: string): string {
  return `{${pod.slice(pod.indexOf('"metadata"'))}`;
}

/** The files of the Go program's command `fixture`: pieces, each preceded by its length. */
export interface ProtobufFiles {
  readonly pages: Uint8Array;
  readonly events: Uint8Array;
}

/** The number of Pods in one page of the list. */
export const PROTOBUF_PAGE = 500;

/** Returns the Pods as protobuf: only pages of 500, and no streaming lists. */
export function protobufRepresentation(fixture: Fixture, files: ProtobufFiles): Representation {
  const contentType = "application/vnd.kubernetes.protobuf";
  const pages = pieces(files.pages, false);
  return {
    contentType,
    watchContentType: `${contentType};stream=watch`,
    // The frames of the stream include their length prefix.
    events: lazy(() => new EventFrames(pieces(files.events, true), listVersion(fixture) + 1)),
    list(from, to) {
      if (from % PROTOBUF_PAGE !== 0 || to - from > PROTOBUF_PAGE) {
        throw new RangeError(
          `There are pages of ${PROTOBUF_PAGE} only: asked for ${from} to ${to}`,
        );
      }
      const page = from / PROTOBUF_PAGE;
      return [pages.view(page, page + 1)];
    },
    initialEvents: () => new Uint8Array(),
    bookmark: () => new Uint8Array(),
  };
}

function pieces(bytes: Uint8Array, withLength: boolean): Slab {
  const slab = new Slab(bytes.length + 4096);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + view.getUint32(at);
    slab.push(bytes.subarray(withLength ? at : at + 4, end));
    at = end;
  }
  return slab;
}
