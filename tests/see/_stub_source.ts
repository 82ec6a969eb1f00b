import type { SeeSource, SeeState } from "../../src/see/mod.ts";

export const TOKEN = "0123456789abcdef-TOKEN";

/** A source whose state is a number, and which records what it was asked. */
export class StubSource implements SeeSource {
  readonly calls: string[] = [];
  readonly listeners = new Set<() => void>();
  /** The number in the state. */
  count = 0;
  /** The time in the state. */
  at = "2026-01-01T00:00:00.000Z";
  /** The number of states that were made. */
  states = 0;
  failure: Error | undefined;

  state(): SeeState {
    this.states++;
    if (this.failure !== undefined) throw this.failure;
    return {
      title: "stub",
      kind: "manager",
      phase: "leading",
      at: this.at,
      server: "10.0.0.1:6443",
      watches: [],
      controllers: [],
      attention: [],
      actions: ["reconcile"],
      notes: [`${this.count}`],
    };
  }

  keys(query: object): ReturnType<SeeSource["keys"]> {
    this.#called("keys", query);
    return { keys: [], total: 0 };
  }

  stories(query: object): ReturnType<SeeSource["stories"]> {
    this.#called("stories", query);
    return [];
  }

  versions(query: { readonly key: string }): ReturnType<SeeSource["versions"]> {
    this.#called("versions", query);
    return query.key === "a/gone" ? undefined : { after: { kind: "Pod" } };
  }

  act(action: object): Promise<string> {
    this.#called("act", action);
    return Promise.resolve("done");
  }

  export(query: object): string {
    this.#called("export", query);
    return "text";
  }

  subscribe(changed: () => void): () => void {
    const listener = () => changed();
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Reports a change. */
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  #called(name: string, query: object): void {
    this.calls.push(`${name} ${JSON.stringify(query)}`);
    if (this.failure !== undefined) throw this.failure;
  }
}
