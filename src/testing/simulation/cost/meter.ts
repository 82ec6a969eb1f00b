import { Client, type ClientOptions } from "@kubeloop/controller/client";
import {
  keptBody,
  type MetricsProvider,
  noopMetrics,
  parseJson,
  stringifyJson,
} from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { describeRequest, type FaultRequest, readFrames } from "../../api_server/mod.ts";
import { fullName } from "../record/mod.ts";
import { isWrite } from "../world/mod.ts";
import type { CallLines } from "./call_lines.ts";
import { countedBody } from "./counted_body.ts";
import { increase, Tally, TIMER, triggerKey } from "./tally.ts";

/** The parts of a run that its meter uses. */
export interface MeterRun {
  /** Sends a request that is not counted. */
  ask(request: Request): Promise<Response>;
  /** Returns the virtual time, in milliseconds. */
  now(): number;
  /** Called with the kind of each request. */
  requested(kind: string): void;
}

type Send = (request: Request) => Promise<Response>;

/** The parameters that only a watch has. */
const OF_WATCH = [
  "watch",
  "allowWatchBookmarks",
  "sendInitialEvents",
  "resourceVersion",
  "resourceVersionMatch",
  "timeoutSeconds",
];

/** Resources whose objects are records of what a program does, such as who is the leader. */
const RECORDS = /^(?:leases\.coordination\.k8s\.io|events|events\.events\.k8s\.io)$/;

const BOOKMARK = '{"type":"BOOKMARK"';
/** The first byte of a line of JSON. A frame of protobuf begins with its length. */
const BRACE = 0x7b;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Counts what the processes of a run send, receive and reconcile, without keeping any of it. */
export class Meter {
  readonly #run: MeterRun;
  readonly #lines: CallLines;
  #tally = new Tally();
  /** The open watches of the present life of each process. */
  readonly #watches = new Map<string, Set<Request>>();
  #last: { readonly resource: string; readonly atMs: number } | undefined;

  constructor(run: MeterRun, lines: CallLines) {
    this.#run = run;
    this.#lines = lines;
  }

  /** Creates the client of one life of a process. */
  readonly connect = (process: string, options: ClientOptions): Client => {
    const watches = new Set<Request>();
    this.#watches.set(process, watches);
    const metered = { fetch: this.#fetch(options.fetch!, watches), metrics: this.#metrics };
    return this.#lines.observe(new Client({ ...options, ...metered }));
  };

  /** Returns the counts since the last call, and the present caches. */
  async take(): Promise<Tally> {
    const tally = this.#tally;
    for (const watches of this.#watches.values()) {
      for (const watch of watches) await this.#weigh(watch, tally);
    }
    this.#tally = new Tally();
    return tally;
  }

  #fetch(send: Send, watches: Set<Request>): Send {
    return async (request) => {
      const info = describeRequest(request);
      const kind = kindOf(info);
      const resource = fullName(info.resource, info.group);
      const isCounted = isWrite(info) && !RECORDS.test(resource);
      const counts = () => this.#tally.kind(kind, isCounted);
      const watched = info.verb === "watch" ? new Request(request.url, request) : undefined;
      counts().requests++;
      this.#tally.follows(kind, this.#trigger);
      this.#run.requested(kind);
      if (request.body !== null) {
        const body = keptBody(request) ?? await request.clone().bytes();
        counts().sent += body.length;
      }
      const response = await send(request);
      const { headers, status } = response;
      if (response.body === null) return response;
      if (watched === undefined || !response.ok) {
        const kept = keptBody(response);
        const bytes = kept ?? await response.bytes();
        counts().received += bytes.length;
        return kept === undefined ? new Response(bytes, { status, headers }) : response;
      }
      watches.add(watched);
      const body = countedBody(response.body, {
        onChunk: (chunk) => {
          counts().received += chunk.length;
          this.#seen(resource, chunk);
        },
        onEnd: () => void watches.delete(watched),
      });
      return new Response(body, { status, headers });
    };
  }

  /** The cause of what the process does now: an event that came at this time, or a timer. Handling takes no time. */
  get #trigger(): string {
    return this.#last?.atMs === this.#run.now() ? this.#last.resource : TIMER;
  }

  #seen(resource: string, chunk: Uint8Array): void {
    const events = eventsIn(chunk);
    if (events === 0) return;
    increase(this.#tally.events, resource, events);
    this.#last = { resource, atMs: this.#run.now() };
  }

  /** Counts the objects that a watch covers. */
  async #weigh({ headers, url: address }: Request, tally: Tally): Promise<void> {
    const url = new URL(address);
    for (const name of OF_WATCH) url.searchParams.delete(name);
    const isPartial = headers.get("accept")?.includes("as=PartialObjectMetadata");
    const as = isPartial ? ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" : "";
    const request = new Request(url, { headers: { accept: `application/json${as}` } });
    const info = describeRequest(request);
    const response = await this.#run.ask(request);
    const text = await response.text();
    if (!response.ok) return;
    const { items = [] } = parseJson(text) as { readonly items?: readonly KubeObject[] };
    const bytes = items.length === 0 ? 0 : encoder.encode(stringifyJson(items)).length;
    tally.cache(scopeOf(info), items.length, bytes);
  }

  readonly #metrics: MetricsProvider = {
    ...noopMetrics,
    counter: (name, labels) => {
      if (name === "controller_runtime_reconcile_total") {
        const { controller = "" } = labels;
        return { inc: (by) => increase(this.#tally.reconciles, controller, by) };
      }
      if (name === "workqueue_adds_total") {
        const { name: queue = "" } = labels;
        return { inc: () => this.#added(queue) };
      }
      return noopMetrics.counter(name, labels);
    },
  };

  #added(queue: string): void {
    const trigger = this.#trigger;
    this.#tally.add(queue, trigger);
    // The handler of an event adds the key, so its line is on the stack. Below a timer is only the clock.
    if (trigger !== TIMER) this.#lines.note(triggerKey(queue, trigger));
  }
}

function kindOf({ group, resource, subresource, url, verb }: FaultRequest): string {
  if (resource === "") return `${verb} ${url.pathname}`;
  const name = fullName(resource, group);
  return `${verb} ${subresource === "" ? name : `${name}/${subresource}`}`;
}

/** Returns the objects of a list in words. */
function scopeOf({ group, namespace, resource, url: { searchParams } }: FaultRequest): string {
  const where = namespace === "" ? "" : " of one namespace";
  const isSelected = searchParams.has("labelSelector") || searchParams.has("fieldSelector");
  return `${fullName(resource, group)}${where}${isSelected ? " with a selector" : ""}`;
}

/** Returns the number of events in a chunk of a watch, besides bookmarks. */
function eventsIn(chunk: Uint8Array): number {
  if (chunk[0] !== BRACE) {
    try {
      return readFrames(chunk).filter(({ type }) => type !== "BOOKMARK").length;
    } catch {
      return 0;
    }
  }
  return decoder.decode(chunk).split("\n")
    .filter((line) => line !== "" && !line.startsWith(BOOKMARK)).length;
}
