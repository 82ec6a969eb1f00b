/**
 * An API server that serves only Pods, and the ReplicaSets that own them, and uses very little CPU time, so that the client
 * is measured. It supports paged lists, streaming lists, watches with bookmarks, and events of Pods on command, in JSON and
 * protobuf. Lists show the state before the first event, at the resource version of that state; a watch from there sends
 * all events since.
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
  type Encoding,
  type Fixture,
  listVersion,
  type Representation,
  representation,
  type View,
} from "./stub/representation.ts";
import { Watch } from "./stub/watch.ts";

/** The Status of a 410. */
const EXPIRED = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "too old resource version",
  reason: "Expired",
  code: 410,
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
  /** The number of lists and watches in protobuf. */
  readonly inProtobuf: number;
  /** The number of Pods, and the resource version of their list. */
  readonly pods: number;
  readonly listVersion: number;
  /** The CPU time of the server since its start, in milliseconds. */
  readonly cpuMs: number;
  readonly meanPodBytes: number;
}

class StubServer {
  readonly #fixture: Fixture;
  readonly #streamingLists: boolean;
  readonly #representations = new Map<string, Representation>();
  /** The encoding of responses; protobuf for requests that accept it. */
  #encoding: Encoding = "json";
  readonly #log = new EventLog();
  readonly #watches = new Set<Watch>();
  #watchesOpened = 0;
  #lists = 0;
  #inProtobuf = 0;
  /** Callbacks that wait for the next watch. */
  #waiters: (() => void)[] = [];
  /** Since the watches expired: a list has come, and may be answered. */
  #held: Record<"come" | "answer", PromiseWithResolvers<void>> | undefined;

  constructor(fixture: Fixture, streamingLists: boolean) {
    this.#fixture = fixture;
    this.#streamingLists = streamingLists;
    this.#made("Pod", "json");
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
    const [, namespace, plural] =
      /^\/apis?\/(?:apps\/)?v1(?:\/namespaces\/([^/]+))?\/(pods|replicasets)$/.exec(pathname) ?? [];
    if (plural === undefined) return failure(404, "NotFound");
    const accept = request.headers.get("accept") ?? "";
    const isPods = plural === "pods";
    const view = isPods
      ? accept.includes("PartialObjectMetadata") ? "PartialObjectMetadata" : "Pod"
      : "ReplicaSet";
    const isProtobuf = this.#encoding === "protobuf" && accept.includes("protobuf");
    if (isProtobuf) this.#inProtobuf++;
    const representation = this.#made(view, isProtobuf ? "protobuf" : "json");
    const isWatch = ["1", "true"].includes(query.get("watch") ?? "");
    // A request for a single namespace gets no objects, so informers on namespaces stay idle.
    const count = namespace === undefined ? this.#fixture.pods : 0;
    if (!isWatch) return this.#listWhenFree(representation, count, query);
    if (query.get("sendInitialEvents") === "true" && !this.#streamingLists) {
      return failure(422, "Invalid");
    }
    return this.#watch(representation, { count, hasEvents: isPods && count > 0 }, query);
  }

  #made(view: View, encoding: Encoding): Representation {
    const key = `${view} ${encoding}`;
    let found = this.#representations.get(key);
    if (found === undefined) {
      found = representation(this.#fixture, view, encoding);
      this.#representations.set(key, found);
    }
    return found;
  }

  async #listWhenFree(
    representation: Representation,
    count: number,
    query: URLSearchParams,
  ): Promise<Response> {
    this.#held?.come.resolve();
    await this.#held?.answer.promise;
    return this.#list(representation, count, query);
  }

  #list(representation: Representation, count: number, query: URLSearchParams): Response {
    this.#lists++;
    const from = Number(query.get("continue") ?? 0);
    const to = Math.min(count, from + (Number(query.get("limit")) || count));
    const body = representation.list(from, to, {
      resourceVersion: `${listVersion(this.#fixture)}`,
      ...(to < count ? { continue: `${to}`, remainingItemCount: count - to } : {}),
    });
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const headers = {
      "content-type": representation.contentType,
      "content-length": `${length}`,
    };
    return new Response(streamed(body.flatMap(cut)), { headers });
  }

  #watch(
    representation: Representation,
    { count, hasEvents }: { readonly count: number; readonly hasEvents: boolean },
    query: URLSearchParams,
  ): Response {
    const initial = query.get("sendInitialEvents") === "true";
    const version = Number(query.get("resourceVersion") ?? 0);
    const watch = new Watch(representation, this.#log, {
      from: hasEvents && !initial
        ? Math.max(0, version - listVersion(this.#fixture))
        : hasEvents
        ? 0
        : Infinity,
      before: initial ? this.#initialEvents(representation, count) : [].values(),
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
    count: number,
  ): Generator<Uint8Array<ArrayBuffer>> {
    for (let from = 0; from < count; from += 16) {
      yield representation.initialEvents(from, Math.min(count, from + 16));
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
          watch.sendError(EXPIRED);
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
        this.#inProtobuf = 0;
        this.#encoding = query.get("encoding") === "protobuf" ? "protobuf" : "json";
        this.#made("Pod", this.#encoding);
        break;
      case "prepare":
        for (const watch of this.#watches) watch.prepare();
        break;
      case "state":
        break;
      default:
        return failure(404, "NotFound");
    }
    return Response.json(this.#state());
  }

  #state(): StubState {
    const { user, system } = process.cpuUsage();
    const { pods } = this.#fixture;
    const [, items] = this.#made("Pod", "json").list(0, pods, { resourceVersion: "" });
    return {
      watchesOpen: this.#watches.size,
      watchesOpened: this.#watchesOpened,
      lists: this.#lists,
      inProtobuf: this.#inProtobuf,
      pods,
      listVersion: listVersion(this.#fixture),
      cpuMs: (user + system) / 1000,
      meanPodBytes: Math.round((items?.length ?? 0) / pods),
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
    string: ["pods", "pod-bytes", "key-order", "bookmark-ms"],
    boolean: ["streaming-lists"],
    default: { pods: "10000", "pod-bytes": "3800", "key-order": "typed", "bookmark-ms": "60000" },
  });
  const fixture: Fixture = {
    pods: Number(args.pods),
    bytes: Number(args["pod-bytes"]),
    keyOrder: args["key-order"] as KeyOrder,
  };
  const stub = new StubServer(fixture, args["streaming-lists"]);
  setInterval(() => stub.bookmark(), Number(args["bookmark-ms"]));
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ port })),
    onError: (error) => failure(500, `${error}`),
  }, (request) => stub.handle(request));
}
