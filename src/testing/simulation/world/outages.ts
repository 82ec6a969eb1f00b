import type { FaultBook, PlanFault } from "../plans/mod.ts";
import { brokenConnection } from "./refusals.ts";

type Outage = Extract<PlanFault, { fault: "outage" }>;

/** The times in which processes do not reach the server, or are refused by it. */
export class Outages {
  readonly #book: FaultBook;
  readonly #now: () => number;
  readonly #outages = new Map<string, { readonly how: Outage["how"]; readonly untilMs: number }>();
  /** The functions that break the open connections of a process. */
  readonly #cuts = new Map<string, Set<(error: Error) => void>>();

  constructor(book: FaultBook, now: () => number) {
    this.#book = book;
    this.#now = now;
  }

  /** Begins an outage of a process. What cuts the process off breaks its open connections as well. */
  begin(process: string, fault: Outage): void {
    this.#book.takeEffect(fault, fault.forMs);
    this.#outages.set(process, { how: fault.how, untilMs: this.#now() + fault.forMs });
    if (fault.how !== "partition" && fault.how !== "unauthorized") return;
    for (const cut of [...this.#cuts.get(process) ?? []]) cut(brokenConnection("ECONNRESET"));
  }

  /** Returns the present outage of a process; undefined if there is none. */
  of(process: string): Outage["how"] | undefined {
    const outage = this.#outages.get(process);
    return outage !== undefined && this.#now() < outage.untilMs ? outage.how : undefined;
  }

  /** Registers a function that breaks a connection of a process. The returned function removes it. */
  onCut(process: string, cut: (error: Error) => void): () => void {
    let cuts = this.#cuts.get(process);
    if (cuts === undefined) this.#cuts.set(process, cuts = new Set());
    cuts.add(cut);
    return () => cuts.delete(cut);
  }

  /** Reports whether a resource is not served to a process yet. */
  isMissing(process: string, resource: string): boolean {
    const fault = this.#book.of("missing");
    if (fault === undefined || fault.process !== process || fault.resource !== resource) {
      return false;
    }
    const leftMs = fault.forMs - this.#now();
    if (leftMs > 0) this.#book.takeEffect(fault, leftMs);
    return leftMs > 0;
  }
}
