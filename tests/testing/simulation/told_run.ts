import type { KubeObject } from "../../../mod.ts";
import type { ServerWrite } from "../../../src/testing/mod.ts";
import {
  History,
  type Moment,
  type SentWrite,
} from "../../../src/testing/simulation/record/mod.ts";
import type { PlanFault } from "../../../src/testing/simulation/plans/mod.ts";
import type { RunRecord } from "../../../src/testing/simulation/judge/mod.ts";
import type { Wrong } from "../../../src/testing/simulation/judge/mod.ts";

/** Options of a write of a {@linkcode ToldRun}. */
export interface Telling {
  readonly namespace?: string;
  readonly metadata?: object;
  readonly status?: number;
  readonly injected?: string;
  readonly body?: unknown;
}

/** A run that a test makes up, moment by moment. */
export class ToldRun {
  atMs = 0;
  readonly history: History = new History(() => this.atMs);
  readonly #writers = new Map<number, string>();
  readonly #objects = new Map<string, ServerWrite>();
  #version = 0;

  /** Continues at a time, in seconds. */
  at(seconds: number): this {
    this.atMs = Math.round(seconds * 1000);
    return this;
  }

  step(index: number, text: string): void {
    this.history.add({ kind: "step", index, text });
  }

  fault(text: string): void {
    this.history.add({ kind: "fault", text });
  }

  process(process: string, text = "starts"): void {
    this.history.add({ kind: "process", process, text });
  }

  log(process: string, text: string): void {
    this.history.add({ kind: "log", process, text });
  }

  call(process: string, text: string): void {
    this.history.add({ kind: "cloud", process, text: `${process} calls ${text}` });
  }

  /** The server stores a version of an object. The verb is as in `user creates`. */
  commit(
    by: string,
    verb: "creates" | "changes" | "deletes",
    object: string,
    fields: object = {},
    { namespace = "default", metadata = {} }: Telling = {},
  ): ServerWrite {
    const [resource = "", name = ""] = object.split(" ");
    const type = ({ creates: "ADDED", changes: "MODIFIED", deletes: "DELETED" } as const)[verb];
    const last = this.#objects.get(`${namespace} ${object}`);
    const resourceVersion = String(++this.#version);
    const uid = verb === "creates" ? `uid-${resourceVersion}` : last!.uid;
    const now = {
      metadata: { name, namespace, uid, resourceVersion, ...metadata },
      ...fields,
    } as KubeObject;
    const write: ServerWrite = {
      type,
      resource,
      namespace,
      name,
      uid,
      resourceVersion,
      text: JSON.stringify(now),
      object: () => now,
      previous: () => verb === "creates" ? undefined : last!.object(),
    };
    this.#objects.set(`${namespace} ${object}`, write);
    if (by !== "") this.#writers.set(this.#version, by);
    const id = `${type} ${resource} ${namespace}/${name} #1`;
    this.history.add({ kind: "committed", id, write });
    return write;
  }

  /** A process sends a write: `create things a`. */
  send(
    process: string,
    what: string,
    { namespace = "default", body, injected }: Telling = {},
  ): SentWrite {
    const [verb = "", resource = "", name = ""] = what.split(" ");
    const write: SentWrite = {
      id: `${process} ${verb} ${resource} ${namespace}/${name} #1`,
      process,
      verb,
      resource,
      subresource: "",
      namespace,
      name,
      body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
      status: 0,
      version: 0,
      injected,
    };
    this.history.add({ kind: "sent", write });
    return write;
  }

  answer(write: SentWrite, status: number, version?: ServerWrite): void {
    write.status = status;
    write.version = Number(version?.resourceVersion ?? 0);
    this.history.add({ kind: "answered", write });
  }

  /** A process writes, and everything goes well. */
  write(
    process: string,
    verb: "creates" | "changes" | "deletes",
    object: string,
    fields: object = {},
    telling: Telling = {},
  ): ServerWrite {
    const method = { creates: "create", changes: "patch", deletes: "delete" }[verb];
    const sent = this.send(process, `${method} ${object}`, telling);
    const version = this.commit(process, verb, object, fields, telling);
    this.answer(sent, 200, verb === "deletes" ? undefined : version);
    return version;
  }

  /** A watch of a process shows versions, all of one kind. */
  see(process: string, ...versions: readonly ServerWrite[]): void {
    const lines = versions.map(({ object, type }) =>
      `${JSON.stringify({ type, object: object() })}\n`
    );
    const { resource } = versions[0]!;
    const bytes = new TextEncoder().encode(lines.join(""));
    this.history.add({ kind: "seen", process, resource, bytes });
  }

  /** A process reads a list. */
  list(process: string, resource: string, ...versions: readonly ServerWrite[]): void {
    const text = JSON.stringify({ items: versions.map(({ object }) => object()) });
    const id = `${process} list ${resource} #1`;
    this.history.add({ kind: "read", process, id, verb: "list", resource, status: 200, text });
  }

  /** Something is wrong. */
  wrong(oracle: Wrong["oracle"], message: string): Wrong {
    this.history.add({ kind: "wrong", text: message });
    return { oracle, message, atMs: this.atMs };
  }

  /** Returns what a run of a simulation returns. */
  record(
    { faults = [], state = {}, wrong = [] }: {
      readonly faults?: readonly PlanFault[];
      readonly state?: object | undefined;
      readonly wrong?: readonly Wrong[];
    } = {},
  ): RunRecord {
    return {
      plan: { seed: 1, faults },
      history: this.history,
      undone: [],
      wrong,
      state: new Map(Object.entries(state)),
      writers: this.#writers,
    } as unknown as RunRecord;
  }

  get moments(): readonly Moment[] {
    return this.history.moments;
  }
}
