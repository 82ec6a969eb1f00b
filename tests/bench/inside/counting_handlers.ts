import type { Handlers, InformerClient } from "../clients/informer_client.ts";

/** Handlers that read each Pod's name, and know when they have been called often enough. */
export class CountingHandlers implements Handlers<unknown> {
  adds = 0;
  updates = 0;
  /** Of all names together, so that nobody can leave out reading them. */
  characters = 0;
  readonly #client: InformerClient;
  #wanted = Infinity;
  #counted: "adds" | "updates" = "adds";
  #reached: () => void = () => {};

  /** Handlers of that client's items. */
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

  /** Resolves in the very call that makes it `count`. */
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
