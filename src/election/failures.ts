import { type Logger, TerminalError } from "../base/mod.ts";
import {
  explainError,
  isForbidden,
  isNotFound,
  isUnauthorized,
  StatusError,
} from "../types/mod.ts";

/** A kind of request that fails at present. */
interface Failure {
  readonly verb: string;
  readonly kind: string;
  readonly text: string;
}

/** The failures of the requests of one part: counted, explained, and logged once each time that they change. */
export class Failures {
  readonly #name: string;
  readonly #namespace: string;
  readonly #logger: Logger;
  /** What fails at present, by verb and by the name of the Lease. */
  readonly #failing = new Map<string, Failure>();
  #count = 0;
  #final: TerminalError | undefined;

  /** Creates the failures of the part `name`, whose Leases are in `namespace`. */
  constructor(name: string, namespace: string, logger: Logger) {
    this.#name = name;
    this.#namespace = namespace;
    this.#logger = logger;
  }

  /** The number of failures. */
  get count(): number {
    return this.#count;
  }

  /** What fails at present; undefined if the last request of each verb was answered. */
  get current(): string | undefined {
    for (const { text } of this.#failing.values()) return text;
    return undefined;
  }

  /** The failure after which no request can succeed; undefined if there is none. */
  get final(): TerminalError | undefined {
    return this.#final;
  }

  /** Reports whether requests of this verb fail at present. */
  has(verb: string): boolean {
    return this.#failing.values().some((failure) => failure.verb === verb);
  }

  /** Notes that a request about a Lease has failed. A final failure is not logged here: it ends the part. */
  add(verb: string, error: unknown, lease = ""): void {
    this.#count++;
    if (TerminalError.is(error)) {
      this.#final = error;
      return;
    }
    const text = `cannot ${verb} leases in the namespace "${this.#namespace}": ${
      explainError(error)
    }${this.#remedy(verb, error)}`;
    // The message of a network failure may be another one each time, as with a port in it.
    const kind = StatusError.is(error) ? String(error.code) : "network";
    const id = `${verb} ${lease}`;
    const isNew = this.#failing.get(id)?.kind !== kind;
    this.#failing.set(id, { verb, kind, text });
    if (isNew) {
      this.#logger.warn(`${this.#name}: ${text}; it is tried again, and not logged again`);
    }
  }

  /** Notes that a request about a Lease was answered. */
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
