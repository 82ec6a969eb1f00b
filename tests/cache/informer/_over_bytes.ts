/**
 * A source behind a Client, so that its answers arrive as bytes, cut at random places and broken where a test demands
 * it.
 */

import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { SeededRandom, type VirtualClock } from "../../../src/testing/mod.ts";
import {
  type KubeList,
  type ListerWatcher,
  type ListOptions,
  type Pod,
  Pods,
  StatusError,
  type WatchEvent,
} from "../../../src/types/mod.ts";
import { encodeProtobuf, SCHEMAS, watchFrame } from "../../../src/testing/api_server/schema/mod.ts";
import type { JsonObject } from "../../../src/testing/values/mod.ts";
import { seededRuns } from "../../support/seeded_runs.ts";

const encoder = new TextEncoder();
const WEB_PAGE = "<html><body>Sign in</body></html>\n";

/** An error that a source throws during a watch to send `bytes` and then an end, a reset or nothing more. */
export class BrokenBytes extends TypeError {
  readonly bytes: Uint8Array;
  readonly then: "close" | "reset" | "open";

  constructor(bytes: Uint8Array, then: "close" | "reset" | "open") {
    super("The connection broke");
    this.bytes = bytes;
    this.then = then;
  }
}

/** The encoding of the answers of a source. */
export type Encoding = "json" | "protobuf";

const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Puts a source behind a Client. The lines or frames of watches arrive in pieces. */
export function overBytes(
  source: ListerWatcher<Pod>,
  clock: VirtualClock,
  encoding: Encoding = "json",
): ListerWatcher<Pod> {
  const random = new SeededRandom(seededRuns.seed);
  const client = new Client({
    clock,
    logger: silentLogger,
    fetch: (request) => {
      const isAccepted = request.headers.get("accept")?.includes("protobuf") ?? false;
      return answer(source, request, random, encoding === "protobuf" && isAccepted);
    },
  });
  return {
    ...client.listerWatcher(Pods),
    isWatchListSemanticsUnsupported: source.isWatchListSemanticsUnsupported ?? false,
  };
}

async function answer(
  source: ListerWatcher<Pod>,
  { url, signal }: Request,
  random: SeededRandom,
  isProtobuf: boolean,
): Promise<Response> {
  const query = new URL(url).searchParams;
  const options = optionsOf(query);
  try {
    if (!query.has("watch")) {
      const list = await source.list(options, { signal });
      return isProtobuf ? protobufList(list) : Response.json(list);
    }
    const events = await source.watch(options, { signal });
    const headers = isProtobuf ? { "content-type": `${PROTOBUF};stream=watch` } : {};
    const body = watchBody(events[Symbol.asyncIterator](), random, isProtobuf ? frame : line);
    return new Response(body, { headers });
  } catch (error) {
    if (StatusError.is(error)) {
      return Response.json({ ...error.status, kind: "Status" }, { status: error.code });
    }
    if (error instanceof SyntaxError) return new Response(WEB_PAGE);
    throw error;
  }
}

function line(event: WatchEvent<Pod>): Uint8Array {
  return encoder.encode(`${JSON.stringify(event)}\n`);
}

function frame({ type, object }: WatchEvent<Pod>): Uint8Array {
  const { kind = "Pod" } = object as Pod;
  if (kind === "Status") return watchFrame(type, encoded("meta.Status", "v1", kind, object));
  return watchFrame(type, encoded("core.Pod", "v1", kind, object));
}

function protobufList({ metadata, items }: KubeList<Pod>): Response {
  const list = { metadata, items: items ?? [] };
  const bytes = encoded("core.PodList", "v1", "PodList", list);
  return new Response(bytes, { headers: { "content-type": PROTOBUF } });
}

function encoded(schema: string, apiVersion: string, kind: string, object: unknown) {
  return encodeProtobuf({ ...object as JsonObject, apiVersion, kind }, SCHEMAS.struct(schema)!);
}

function optionsOf(query: URLSearchParams): ListOptions {
  return {
    ...(query.has("resourceVersion") &&
      { resourceVersion: query.get("resourceVersion") as string }),
    ...(query.has("sendInitialEvents") && { sendInitialEvents: true }),
  };
}

function watchBody(
  events: AsyncIterator<WatchEvent<Pod>>,
  random: SeededRandom,
  encode: (event: WatchEvent<Pod>) => Uint8Array,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let end: "close" | "reset" | "open" | undefined;
  return new ReadableStream({
    async pull(controller) {
      if (pieces.length === 0 && end === undefined) {
        try {
          const { done, value } = await events.next();
          if (done) end = "close";
          else pieces = cut(encode(value), random);
        } catch (error) {
          const broken = brokenBy(error);
          pieces = cut(broken.bytes, random);
          end = broken.then;
        }
      }
      const piece = pieces.shift();
      if (piece !== undefined) return controller.enqueue(piece);
      if (end === "close") return controller.close();
      if (end === "reset") return controller.error(new TypeError("error reading a body"));
      await new Promise(() => {});
    },
    async cancel() {
      await events.return?.();
    },
  }, { highWaterMark: 0 });
}

function brokenBy(error: unknown): BrokenBytes {
  if (error instanceof BrokenBytes) return error;
  if (error instanceof SyntaxError) return new BrokenBytes(encoder.encode(WEB_PAGE), "open");
  return new BrokenBytes(new Uint8Array(0), "reset");
}

/** Cuts bytes at random places into at most three pieces. */
function cut(bytes: Uint8Array, random: SeededRandom): Uint8Array<ArrayBuffer>[] {
  const [a = 0, b = 0] = [random.next(), random.next()]
    .map((at) => Math.floor(at * bytes.length))
    .sort((a, b) => a - b);
  const pieces = [bytes.slice(0, a), bytes.slice(a, b), bytes.slice(b)].map((piece) =>
    Uint8Array.from(piece)
  );
  return pieces.filter((piece) => piece.length > 0);
}
