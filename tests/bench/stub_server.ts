/**
 * An API server that serves only Pods and uses very little CPU time, so that the client is measured. It supports paged
 * lists, streaming lists, watches with bookmarks, and events on command. Lists show the state before the first event,
 * at the resource version of that state; a watch from there sends all events since.
 *
 * The server prints one line of JSON with its port when it is ready.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import process from "node:process";
import { EventLog } from "./stub/event_log.ts";
import type { KeyOrder } from "./stub/pods.ts";
import {
  type Fixture,
  jsonRepresentation,
  type JsonView,
  listVersion,
  protobufRepresentation,
  type Representation,
} from "./stub/representation.ts";
import { Watch } from "./stub/watch.ts";

/** The Status of a 410. */
const EXPIRED = {
  type: "ERROR",
  object: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "too old resource version",
    reason: "Expired",
    code: 410,
  },
};
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };
/** The maximum size of a piece of a body. */
const LONGEST_PIECE = 1024 * 1024;

/** The response of `/_bench/state`. */
export interface StubState {
  readonly watchesOpen: number;
  /** The number of watches that were opened since the last reset. */
  readonly watchesOpened: number;
  readonly lists: number;
  /** The CPU time of the server since its start, in milliseconds. */
  readonly cpuMs: number;
  readonly meanPodBytes: number;
}

class StubServer {
  readonly #fixture: Fixture;
  readonly #streamingLists: boolean;
  readonly #representations = new Map<string, Representation>();
  readonly #protobuf: Representation | undefined;
  readonly #log = new EventLog();
  readonly #watches = new Set<Watch>();
  #watchesOpened = 0;
  #lists = 0;
  /** Callbacks that wait for the next watch. */
  #waiters: (() => void)[] = [];
  /** Since the watches expired: a list has come, and may be answered. */
  #held: Record<"come" | "answer", PromiseWithResolvers<void>> | undefined;

  constructor(
    fixture: Fixture,
    options: { readonly streamingLists: boolean; readonly protobufFolder: string | undefined },
  ) {
    this.#fixture = fixture;
    this.#streamingLists = options.streamingLists;
    const { protobufFolder } = options;
    this.#protobuf = protobufFolder === undefined ? undefined : protobufRepresentation(fixture, {
      pages: Deno.readFileSync(`${protobufFolder}/pages`),
      events: Deno.readFileSync(`${protobufFolder}/events`),
    });
    this.#json("Object");
  }

  /** Sends bookmarks to all watches, as servers do about once a minute. */
  bookmark(): void {
    for (const watch of this.#watches) {
      const reached = listVersion(this.#fixture) + Math.min(watch.position, this.#log.count);
      watch.sendBookmark(`${reached}`);
    }
  }

  handle(request: Request): Response | Promise<Response> {
    const url = new URL(request.url);
    const { pathname, searchParams: query } = url;
    if (pathname.startsWith("/_bench/")) return this.#command(pathname.slice(8), query);
    const [, namespace] = /^\/api\/v1(?:\/namespaces\/([^/]+))?\/pods$/.exec(pathname) ?? [];
    if (!pathname.endsWith("/pods")) return failure(404, "NotFound");
    const representation = this.#representation(request.headers.get("accept") ?? "");
    const isWatch = ["1", "true"].includes(query.get("watch") ?? "");
    // A request for a single namespace gets no Pods, so informers on namespaces stay idle.
    const pods = namespace === undefined ? this.#fixture.pods : 0;
    if (!isWatch) return this.#listWhenFree(representation, pods, query);
    if (query.get("sendInitialEvents") === "true" && !this.#streamingLists) {
      return failure(422, "Invalid");
    }
    return this.#watch(representation, pods, query);
  }

  #representation(accept: string): Representation {
    if (accept.includes("protobuf") && this.#protobuf !== undefined) return this.#protobuf;
    return this.#json(
      accept.includes("PartialObjectMetadata") ? "PartialObjectMetadata" : "Object",
    );
  }

  #json(view: JsonView): Representation {
    let found = this.#representations.get(view);
    if (found === undefined) {
      found = jsonRepresentation(this.#fixture, view);
      this.#representations.set(view, found);
    }
    return found;
  }

  async #listWhenFree(
    representation: Representation,
    pods: number,
    query: URLSearchParams,
  ): Promise<Response> {
    this.#held?.come.resolve();
    await this.#held?.answer.promise;
    return this.#list(representation, pods, query);
  }

  #list(representation: Representation, pods: number, query: URLSearchParams): Response {
    this.#lists++;
    const from = Number(query.get("continue") ?? 0);
    const to = Math.min(pods, from + (Number(query.get("limit")) || pods));
    const body = representation.list(from, to, {
      resourceVersion: `${listVersion(this.#fixture)}`,
      ...(to < pods ? { continue: `${to}`, remainingItemCount: pods - to } : {}),
    });
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const headers = {
      "content-type": representation.contentType,
      "content-length": `${length}`,
    };
    return new Response(streamed(body.flatMap(cut)), { headers });
  }

  #watch(representation: Representation, pods: number, query: URLSearchParams): Response {
    const initial = query.get("sendInitialEvents") === "true";
    const version = Number(query.get("resourceVersion") ?? 0);
    const watch = new Watch(representation, this.#log, {
      from: pods === 0 ? Infinity : initial ? 0 : Math.max(0, version - listVersion(this.#fixture)),
      before: initial ? this.#initialEvents(representation, pods) : [].values(),
      onClose: (closed) => void this.#watches.delete(closed),
    });
    this.#watches.add(watch);
    this.#watchesOpened++;
    for (const wake of this.#waiters.splice(0)) wake();
    return new Response(watch.body, {
      headers: { "content-type": representation.watchContentType },
    });
  }

  *#initialEvents(
    representation: Representation,
    pods: number,
  ): Generator<Uint8Array<ArrayBuffer>> {
    for (let from = 0; from < pods; from += 16) {
      yield representation.initialEvents(from, Math.min(pods, from + 16));
    }
    yield representation.bookmark(`${listVersion(this.#fixture)}`, INITIAL_EVENTS_END);
  }

  async #command(name: string, query: URLSearchParams): Promise<Response> {
    const count = Number(query.get("count"));
    switch (name) {
      case "opened":
        while (this.#watchesOpened < count) {
          await new Promise<void>((resolve) => this.#waiters.push(resolve));
        }
        break;
      case "flood":
        this.#log.flood(count);
        break;
      case "pace":
        this.#log.pace(count, Number(query.get("rate")));
        break;
      case "expire":
        for (const watch of this.#watches) {
          watch.send(new TextEncoder().encode(`${JSON.stringify(EXPIRED)}\n`));
          watch.end();
        }
        this.#held = { come: Promise.withResolvers(), answer: Promise.withResolvers() };
        await this.#held.come.promise;
        break;
      case "answer":
        this.#held?.answer.resolve();
        this.#held = undefined;
        break;
      case "reset":
        this.#log.reset();
        for (const watch of this.#watches) watch.end();
        this.#watchesOpened = 0;
        this.#lists = 0;
        break;
      case "prepare":
        for (const made of [...this.#representations.values(), this.#protobuf]) made?.events();
        break;
      case "events":
        return new Response(streamed(this.#round()));
      case "state":
        break;
      default:
        return failure(404, "NotFound");
    }
    return Response.json(this.#state());
  }

  /** Returns one event for each Pod, for the program that converts them to protobuf. */
  #round(): Uint8Array<ArrayBuffer>[] {
    const events = this.#json("Object").events();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let from = 0; from < this.#fixture.pods;) {
      const to = events.chunkEnd(from, this.#fixture.pods);
      chunks.push(events.chunk(from, to, () => 0));
      from = to;
    }
    return chunks;
  }

  #state(): StubState {
    const { user, system } = process.cpuUsage();
    const [, items] = this.#json("Object").list(0, this.#fixture.pods, { resourceVersion: "" });
    return {
      watchesOpen: this.#watches.size,
      watchesOpened: this.#watchesOpened,
      lists: this.#lists,
      cpuMs: (user + system) / 1000,
      meanPodBytes: Math.round((items?.length ?? 0) / this.#fixture.pods),
    };
  }
}

function failure(code: number, reason: string): Response {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, code };
  return Response.json(body, { status: code });
}

function cut(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += LONGEST_PIECE) {
    pieces.push(bytes.subarray(at, at + LONGEST_PIECE));
  }
  return pieces;
}

function streamed(
  pieces: readonly Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(pieces);
}

if (import.meta.main) {
  const args = parseArgs(Deno.args, {
    string: ["pods", "pod-bytes", "key-order", "protobuf", "bookmark-ms"],
    boolean: ["streaming-lists"],
    default: { pods: "10000", "pod-bytes": "3800", "key-order": "typed", "bookmark-ms": "60000" },
  });
  const fixture: Fixture = {
    pods: Number(args.pods),
    bytes: Number(args["pod-bytes"]),
    keyOrder: args["key-order"] as KeyOrder,
  };
  const stub = new StubServer(fixture, {
    streamingLists: args["streaming-lists"],
    protobufFolder: args.protobuf,
  });
  setInterval(() => stub.bookmark(), Number(args["bookmark-ms"]));
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ port })),
    onError: (error) => failure(500, `${error}`),
  }, (request) => stub.handle(request));
}
