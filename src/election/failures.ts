import { type Logger, TerminalError } from "../base/mod.ts";
import {
  explainError,
  isForbidden,
  isNotFound,
  isUnauthorized,
  StatusError,
} from "../types/mod.ts";

/** A failing request. */
interface Failure {
  readonly verb: string;
  readonly kind: string;
  readonly text: string;
}

/** Counts, explains and logs the failures of the requests about Leases. A failure is logged once until it changes. */
export class Failures {
  readonly #name: string;
  readonly #namespace: string;
  readonly #logger: Logger;
  /** The failing requests by verb and name of the Lease. */
  readonly #failing = new Map<string, Failure>();
  #count = 0;
  #final: TerminalError | undefined;

  constructor(name: string, namespace: string, logger: Logger) {
    this.#name = name;
    this.#namespace = namespace;
    this.#logger = logger;
  }

  get count(): number {
    return this.#count;
  }

  /** The message of a failing request; undefined if no request fails at present. */
  get current(): string | undefined {
    for (const { text } of this.#failing.values()) return text;
    return undefined;
  }

  /** The failure after which no request can succeed, if there was one. */
  get final(): TerminalError | undefined {
    return this.#final;
  }

  /** Reports whether requests with this verb fail at present. */
  has(verb: string): boolean {
    return this.#failing.values().some((failure) => failure.verb === verb);
  }

  /** Records a failed request about a Lease. A final failure is not logged, because it ends the run with an error. */
  add(verb: string, error: unknown, lease = ""): void {
    this.#count++;
    if (TerminalError.is(error)) {
      this.#final = error;
      return;
    }
    const text = `cannot ${verb} leases in the namespace "${this.#namespace}": ${
      explainError(error)
    }${this.#remedy(verb, error)}`;
    // Messages of network failures may differ each time, for example by a port number.
    const kind = StatusError.is(error) ? String(error.code) : "network";
    const id = `${verb} ${lease}`;
    const isNew = this.#failing.get(id)?.kind !== kind;
    this.#failing.set(id, { verb, kind, text });
    if (isNew) {
      this.#logger.warn(`${this.#name}: ${text}; it is tried again, and not logged again`);
    }
  }

  /** Records a successful request about a Lease. */
  clear(verb: string, lease = ""): void {
    if (this.#failing.delete(`${verb} ${lease}`)) {
      this.#logger.info(`${this.#name}: can ${verb} leases again`);
    }
  }

  #remedy(verb: string, error: unknown): string {
    if (isForbidden(error) || isUnauthorized(error)) {
      return `; needed is the verb "${verb}" on leases of coordination.k8s.io in this namespace`;
    }
    if (verb === "create" && isNotFound(error)) return "; does the namespace exist?";
    return "";
  }
}
