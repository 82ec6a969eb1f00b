import process from "node:process";

/** The rejections that no code has handled while this collector was open. Without it, each would end the process. */
export class UnhandledRejections implements Disposable {
  /** The reasons, in order. */
  readonly reasons: unknown[] = [];
  readonly #close: () => void;

  /** Begins to collect. */
  constructor() {
    this.#close = "Deno" in globalThis ? this.#listenOnDeno() : this.#listenOnNode();
  }

  /** Ends the collection. */
  [Symbol.dispose](): void {
    this.#close();
  }

  #listenOnDeno(): () => void {
    const listener = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      this.reasons.push(event.reason);
    };
    globalThis.addEventListener("unhandledrejection", listener);
    return () => globalThis.removeEventListener("unhandledrejection", listener);
  }

  /** Node and Bun call all listeners, so the one of the test runner waits meanwhile. */
  #listenOnNode(): () => void {
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => void this.reasons.push(reason));
    return () => {
      process.removeAllListeners("unhandledRejection");
      for (const other of others) process.on("unhandledRejection", other);
    };
  }
}
