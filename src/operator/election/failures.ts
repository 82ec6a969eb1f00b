import { type Logger, oneLine } from "../../base/mod.ts";
import {
  explainError,
  isForbidden,
  isNotFound,
  isUnauthorized,
  StatusError,
} from "../../types/mod.ts";

/** The failures of the requests of one part: counted, explained, and logged once each time that they change. */
export class Failures {
  readonly #name: string;
  readonly #namespace: string;
  readonly #logger: Logger;
  #count = 0;
  #current: string | undefined;
  #logged: string | undefined;

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

  /** What fails at present; undefined if the last request was answered. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Notes that a request has failed. */
  add(verb: string, error: unknown): void {
    this.#count++;
    this.#current = `cannot ${verb} leases in the namespace "${this.#namespace}": ${
      oneLine(explainError(error))
    }${this.#remedy(verb, error)}`;
    // The message of a network failure may be another one each time, as with a port in it.
    const kind = `${verb} ${StatusError.is(error) ? error.code : "network"}`;
    if (kind === this.#logged) return;
    this.#logged = kind;
    this.#logger.warn(`${this.#name}: ${this.#current}; it is tried again, and not logged again`);
  }

  /** Notes that a request was answered. `isWrite`: a read that works does not mean that writes do. */
  clear(isWrite: boolean): void {
    const isOver = isWrite || this.#logged?.startsWith("get ") || this.#logged?.startsWith("list ");
    if (this.#current === undefined || !isOver) return;
    this.#current = undefined;
    this.#logged = undefined;
    this.#logger.info(`${this.#name}: requests are answered again`);
  }

  #remedy(verb: string, error: unknown): string {
    if (isForbidden(error) || isUnauthorized(error)) {
      return `; needed is the verb "${verb}" on leases of coordination.k8s.io in this namespace`;
    }
    if (verb === "create" && isNotFound(error)) return "; does the namespace exist?";
    return "";
  }
}
