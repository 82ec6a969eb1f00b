import { Client } from "@kubeloop/controller/client";
import { callingPlace } from "../record/mod.ts";

/** The lines of the program that have last called a client, by the object of the call. */
export class ClientCalls {
  readonly #places = new Map<string, string>();

  /**
   * Notes the lines that call the methods of a client, and of clients that are derived from it. At the wire, a stack no longer
   * reaches them.
   */
  observe(client: Client): Client {
    const methods = client as unknown as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(Client.prototype)) {
      const method = name === "constructor" ? undefined : methods[name];
      if (typeof method !== "function") continue;
      methods[name] = (...args: unknown[]) => {
        this.#note(args);
        const result: unknown = method.apply(client, args);
        return result instanceof Client ? this.observe(result) : result;
      };
    }
    return client;
  }

  /** Returns the line that has last called the client for an object. `name` ends with a star if it is to be generated. */
  placeOf(plural: string, name: string): string | undefined {
    return this.#places.get(`${plural} ${name}`);
  }

  #note([resource, target]: readonly unknown[]): void {
    const plural = (resource as { readonly plural?: unknown } | undefined)?.plural;
    if (typeof plural !== "string") return;
    const place = callingPlace();
    if (place !== undefined) this.#places.set(`${plural} ${nameOf(target)}`, place);
  }
}

interface Named {
  readonly metadata?: { readonly name?: string; readonly generateName?: string };
}

function nameOf(target: unknown): string {
  if (typeof target === "string") return target;
  const { generateName, name } = (target as Named | undefined)?.metadata ?? {};
  return name ?? (generateName === undefined ? "" : `${generateName}*`);
}
