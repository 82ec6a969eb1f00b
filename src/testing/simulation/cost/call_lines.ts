import type { Client } from "@kubeloop/controller/client";
import type { ResourceDescriptor } from "@kubeloop/controller/types";
import { callingLine, fullName } from "../record/mod.ts";
import { observeCalls } from "../world/mod.ts";

/** The methods of a client whose first argument is a resource, and the verbs of the requests that they make. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  list: ["list"],
  eachListItem: ["list"],
  get: ["get"],
  create: ["create"],
  update: ["update"],
  updateStatus: ["update"],
  patch: ["patch"],
  patchStatus: ["patch"],
  apply: ["patch"],
  delete: ["delete"],
  deleteCollection: ["deletecollection"],
  watch: ["watch"],
  waitFor: ["get", "list", "watch"],
  listerWatcher: ["list", "watch"],
};

/** The maximum number of stacks that are searched for the line of one kind of calls. */
const TRIES = 5;

/** The first line of the user's code on a stack of each kind of calls. */
export class CallLines {
  readonly #lines = new Map<string, string>();
  readonly #tries = new Map<string, number>();

  /** Returns the noted line of a kind of calls, such as `get pods`, or of additions to a queue; undefined without any. */
  of(kind: string): string | undefined {
    return this.#lines.get(kind);
  }

  /** Notes the line of the caller, unless the kind has one. */
  note(kind: string): void {
    if (this.#lines.has(kind)) return;
    const tries = this.#tries.get(kind) ?? 0;
    if (tries >= TRIES) return;
    this.#tries.set(kind, tries + 1);
    const line = callingLine();
    if (line !== undefined) this.#lines.set(kind, line);
  }

  /** Notes the calls of a client, and of the clients that are derived from it. */
  observe(client: Client): Client {
    return observeCalls(client, (method, args) => {
      const { group = "", plural } = (args[0] ?? {}) as Partial<ResourceDescriptor>;
      if (plural === undefined) return;
      for (const verb of VERBS[method] ?? []) this.note(`${verb} ${fullName(plural, group)}`);
    });
  }
}
