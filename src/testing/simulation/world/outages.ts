import type { FaultBook, PlanFault } from "../plans/mod.ts";
import { brokenConnection } from "./refusals.ts";

type Outage = Extract<PlanFault, { fault: "outage" }>;
type DefinitionFault = Extract<PlanFault, { fault: "definition" }>;

/** Ends a connection: with an error, or as a server does that closes it. */
type Cut = (error?: Error) => void;

/** The times in which processes do not reach the server, or are refused by it. */
export class Outages {
  readonly #book: FaultBook;
  readonly #now: () => number;
  readonly #outages = new Map<string, { readonly how: Outage["how"]; readonly untilMs: number }>();
  /** The ends of the failures of definitions. */
  readonly #definitions = new Map<DefinitionFault, number>();
  /** The functions that end the open connections of a process, with the resources that are watched. */
  readonly #cuts = new Map<string, Map<Cut, string>>();

  constructor(book: FaultBook, now: () => number) {
    this.#book = book;
    this.#now = now;
    for (const fault of book.faults) {
      if (fault.fault === "definition" && fault.write === undefined) {
        this.#definitions.set(fault, fault.forMs);
      }
    }
  }

  /** Begins an outage of a process. What cuts the process off breaks its open connections as well. */
  begin(process: string, fault: Outage): void {
    this.#book.takeEffect(fault, fault.forMs);
    this.#outages.set(process, { how: fault.how, untilMs: this.#now() + fault.forMs });
    if (fault.how !== "partition" && fault.how !== "unauthorized") return;
    const cuts = this.#cuts.get(process)?.keys() ?? [];
    for (const cut of [...cuts]) cut(brokenConnection("ECONNRESET"));
  }

  /** Lets a definition fail. The server closes the watches of its objects. */
  beginDefinition(fault: DefinitionFault): void {
    this.#book.takeEffect(fault, fault.forMs);
    this.#definitions.set(fault, this.#now() + fault.forMs);
    for (const cuts of this.#cuts.values()) {
      for (const [cut, resource] of [...cuts]) if (resource === fault.resource) cut();
    }
  }

  /** Returns the present outage of a process; undefined if there is none. */
  of(process: string): Outage["how"] | undefined {
    const outage = this.#outages.get(process);
    return outage !== undefined && this.#now() < outage.untilMs ? outage.how : undefined;
  }

  /** Returns how the definition of a resource fails at present; undefined if it does not. */
  ofDefinition(resource: string): DefinitionFault["how"] | undefined {
    for (const [fault, untilMs] of this.#definitions) {
      const leftMs = untilMs - this.#now();
      if (fault.resource !== resource || leftMs <= 0) continue;
      this.#book.takeEffect(fault, leftMs);
      return fault.how;
    }
    return undefined;
  }

  /** Registers a function that ends a watch of a process. The returned function removes it. */
  onCut(process: string, resource: string, cut: Cut): () => void {
    let cuts = this.#cuts.get(process);
    if (cuts === undefined) this.#cuts.set(process, cuts = new Map());
    cuts.set(cut, resource);
    return () => cuts.delete(cut);
  }
}
