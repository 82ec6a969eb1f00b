import type { Handlers, InformerClient } from "../clients/informer_client.ts";

/** Handlers that read the name of each Pod and count their calls. */
export class CountingHandlers implements Handlers<unknown> {
  adds = 0;
  updates = 0;
  /** The total length of all names, so that compilers cannot skip reading them. */
  characters = 0;
  readonly #client: InformerClient;
  #wanted = Infinity;
  #counted: "adds" | "updates" = "adds";
  #reached: () => void = () => {};

  /** Creates handlers for the items of `client`. */
  constructor(client: InformerClient) {
    this.#client = client;
  }

  add(item: unknown): void {
    this.characters += this.#client.nameOf(item).length;
    this.adds++;
    if (this.#counted === "adds" && this.adds >= this.#wanted) this.#reached();
  }

  update(item: unknown): void {
    this.characters += this.#client.nameOf(item).length;
    this.updates++;
    if (this.#counted === "updates" && this.updates >= this.#wanted) this.#reached();
  }

  /** Resolves within the call that makes the number of calls `count`. */
  until(counted: "adds" | "updates", count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = count;
      this.#counted = counted;
      this.#reached = () => {
        this.#wanted = Infinity;
        resolve();
      };
      if (this[counted] >= count) this.#reached();
    });
  }
}
