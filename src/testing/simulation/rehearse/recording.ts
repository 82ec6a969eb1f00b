import { type Clock, parseJson } from "@kubeloop/controller/internal/base";
import {
  type ApiServer,
  type FaultRequest,
  type ServerState,
  type ServerWrite,
  WRITE_VERBS,
} from "../../api_server/mod.ts";
import { CLUSTER_AGENT } from "./cluster.ts";
import { fullName, keyOf } from "../record/mod.ts";

/** A write that the server has refused. */
export interface Refused {
  readonly verb: string;
  /** The full name of the resource, with the subresource. */
  readonly resource: string;
  readonly status: number;
  /** The message of the server, without the name of the object. */
  readonly message: string;
  /** The key of the object. */
  readonly key: string;
}

/** The record of one run of a version of an operator. */
export interface RunOfVersion {
  /** The writes, in order. */
  readonly writes: readonly ServerWrite[];
  /** The number of requests by verb and resource, as in `list pods`. */
  readonly requests: ReadonlyMap<string, number>;
  readonly refused: readonly Refused[];
  /** The state at the end. */
  readonly state: ServerState;
  /** The failures of the operator itself. */
  readonly problems: readonly string[];
  /** Whether it wrote until the end of its time. */
  readonly isBusy: boolean;
  /** How long it ran, in milliseconds. */
  readonly lastedMs: number;
}

/** The maximum number of writes and refusals that are kept of one run. */
const MAX_KEPT = 200_000;
const MAX_MESSAGE = 300;

/** Records the requests and writes of a server. */
export class Recording {
  readonly writes: ServerWrite[] = [];
  readonly requests: Map<string, number> = new Map();
  readonly refused: Refused[] = [];
  /** The number of all requests. */
  total = 0;
  /** The time of the start, then of the first request, then of the newest write, in milliseconds. */
  changedMs: number;
  readonly #clock: Clock;
  readonly #reading = new Set<Promise<void>>();

  constructor(server: ApiServer, clock: Clock) {
    this.#clock = clock;
    this.changedMs = clock.now();
    server.onWrite((write) => {
      if (isMachinery(write.resource)) return;
      this.changedMs = clock.now();
      if (this.writes.length < MAX_KEPT) this.writes.push(write);
    });
    server.faults.observe((request, answer) => this.#observe(request, answer));
  }

  /** Resolves when the messages of all refusals were read. */
  async done(): Promise<void> {
    await Promise.all(this.#reading);
  }

  #observe(request: FaultRequest, answer: Response): void {
    const { group, headers, name, namespace, subresource, verb } = request;
    if (request.resource === "" || headers.get("user-agent") === CLUSTER_AGENT) return;
    const resource = fullName(request.resource, group) +
      (subresource === "" ? "" : `/${subresource}`);
    this.total++;
    if (isMachinery(resource)) return;
    if (this.requests.size === 0) this.changedMs = this.#clock.now();
    const what = `${verb} ${resource}`;
    this.requests.set(what, (this.requests.get(what) ?? 0) + 1);
    const isRefused = WRITE_VERBS.has(verb) ? answer.status >= 400 : answer.status === 403;
    // A delete of what is gone already has reached its goal.
    if (!isRefused || answer.status === 404 || this.refused.length >= MAX_KEPT) return;
    const { status } = answer;
    const read = messageOf(answer.clone()).then((text) => {
      const message = text.replaceAll(name === "" ? "\0" : name, "…");
      this.refused.push({ verb, resource, status, message, key: keyOf(namespace, name) });
    });
    this.#reading.add(read);
    void read.then(() => this.#reading.delete(read));
  }
}

/** Reports whether the objects of a resource keep an operator running, and have no desired state. */
export function isMachinery(resource: string): boolean {
  return /^(leases\.coordination\.k8s\.io|events(\.events\.k8s\.io)?)(\/|$)/.test(resource);
}

async function messageOf(answer: Response): Promise<string> {
  let text = "";
  try {
    text = await answer.text();
    const { message } = parseJson(text) as { message?: unknown };
    if (typeof message === "string") text = message;
  } catch {
    // A Status in protobuf is shown as far as it is text.
    text = text.replaceAll(/[^\x20-\x7e]+/g, " ").trim();
  }
  return text.slice(0, MAX_MESSAGE);
}
