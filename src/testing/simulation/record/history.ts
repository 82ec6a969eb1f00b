import { TextHash } from "@kubeloop/controller/internal/base";
import type { ServerWrite } from "../../api_server/mod.ts";

/** A write that a process has sent. */
export interface SentWrite {
  /** The name of the write, such as `operator create pods default/w-0 #1`. */
  readonly id: string;
  /** The process that has sent it. */
  readonly process: string;
  /** The verb: `create`, `update`, `patch`, `delete` or `deletecollection`. */
  readonly verb: string;
  /** The full name of the resource. */
  readonly resource: string;
  /** The subresource, as in `status`; empty if there is none. */
  readonly subresource: string;
  /** The namespace of the object; empty if it has none. */
  readonly namespace: string;
  /** The name of the object. A generated name is replaced by its prefix and a star. */
  readonly name: string;
  /** The body of the request. */
  readonly body: string;
  /** The status of the answer; 0 before the answer, and if it was lost. */
  status: number;
  /** The resource version after the write; 0 if unknown. */
  version: number;
  /** The injected fault, in words. */
  injected?: string | undefined;
}

/** An event of a run. */
export type Moment =
  & { readonly atMs: number }
  & (
    | { readonly kind: "sent"; readonly write: SentWrite }
    | { readonly kind: "committed"; readonly id: string; readonly write: ServerWrite }
    | { readonly kind: "answered"; readonly write: SentWrite }
    | {
      readonly kind: "asked";
      readonly process: string;
      /** The name of the read, such as `operator get pods default/w-0 #1`. */
      readonly id: string;
      readonly resource: string;
      readonly status: number;
    }
    | {
      readonly kind: "read";
      readonly process: string;
      readonly id: string;
      readonly verb: string;
      readonly resource: string;
      readonly status: number;
      /** The body of the answer, in JSON. */
      readonly text: string;
    }
    | {
      readonly kind: "seen";
      readonly process: string;
      readonly resource: string;
      /** Lines of a watch, or frames of protobuf. */
      readonly bytes: Uint8Array;
    }
    | { readonly kind: "step"; readonly index: number; readonly text: string }
    | { readonly kind: "settled"; readonly index: number }
    | { readonly kind: "process"; readonly process: string; readonly text: string }
    | { readonly kind: "fault"; readonly text: string }
    | {
      readonly kind: "log";
      readonly process: string;
      readonly text: string;
      /** Whether it is a warning or an error. */
      readonly isProblem?: boolean | undefined;
    }
    | { readonly kind: "cloud"; readonly process: string; readonly text: string }
    | { readonly kind: "wrong"; readonly text: string }
  );

/** A moment of each kind without its time. */
export type Without<M> = M extends unknown ? Omit<M, "atMs"> : never;

/** A {@linkcode Moment} without its time. */
export type Happening = Without<Moment>;

/** Everything that happened in a run. */
export class History {
  /** The moments, in order. */
  readonly moments: Moment[] = [];
  /** Whether moments are kept. */
  readonly isKept: boolean;
  readonly #now: () => number;

  /** Creates an empty history, which stays empty unless `isKept`. `now` returns the virtual time, in milliseconds. */
  constructor(now: () => number, isKept = true) {
    this.#now = now;
    this.isKept = isKept;
  }

  /** Reports whether another run has the same events at the same times. */
  equals({ moments }: History): boolean {
    return this.moments.length === moments.length &&
      this.moments.every((moment, i) => traceLine(moment) === traceLine(moments[i]!));
  }

  /** The virtual time, in milliseconds. */
  get nowMs(): number {
    return this.#now();
  }

  /** Returns the trace: a line for each moment, the same on every runtime. */
  lines(): string[] {
    return this.moments.map(traceLine);
  }

  /** Returns the hash of the trace: 32 hexadecimal digits. */
  hash(): string {
    const hash = new TextHash();
    for (const line of this.lines()) hash.add(line);
    return hash.hex();
  }

  /** Adds a moment at the present time. */
  add(happening: Happening): void {
    if (!this.isKept) return;
    this.moments.push({ atMs: this.#now(), ...happening } as Moment);
  }
}

/** Returns a moment as a line of the trace, which is the same on every runtime. */
export function traceLine(moment: Moment): string {
  const at = `${moment.atMs} ${moment.kind}`;
  switch (moment.kind) {
    case "sent":
      return `${at} ${moment.write.id} ${moment.write.body}`;
    case "answered":
      return `${at} ${moment.write.id} ${moment.write.status} ${moment.write.version}`;
    case "committed":
      return `${at} ${moment.id} ${moment.write.resourceVersion}`;
    case "asked":
    case "read":
      return `${at} ${moment.id} ${moment.status}`;
    case "seen":
      return `${at} ${moment.process} ${moment.resource} ${moment.bytes.length}`;
    case "step":
    case "settled":
      return `${at} ${moment.index}`;
    case "process":
    case "cloud":
      return `${at} ${moment.process} ${moment.text}`;
    case "log":
      return `${at} ${moment.process}`;
    case "fault":
    case "wrong":
      return `${at} ${moment.text}`;
  }
}
