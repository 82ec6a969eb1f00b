import { Client } from "@kubeloop/controller/client";
import { callingPlace } from "../record/mod.ts";

/**
 * Calls `onCall` before each call of a method of a client, and of clients that are derived from it. A request cannot be traced
 * back to its call: a stack ends where a program waits.
 */
export function observeCalls(
  client: Client,
  onCall: (method: string, args: readonly unknown[]) => void,
): Client {
  const methods = client as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(Client.prototype)) {
    const method = name === "constructor" ? undefined : methods[name];
    if (typeof method !== "function") continue;
    methods[name] = (...args: unknown[]) => {
      onCall(name, args);
      const result: unknown = method.apply(client, args);
      return result instanceof Client ? observeCalls(result, onCall) : result;
    };
  }
  return client;
}

/** The lines of the program that have last called a client, by the object of the call. */
export class ClientCalls {
  readonly #places = new Map<string, string>();

  /** Notes the lines that call the methods of a client, and of clients that are derived from it. */
  observe(client: Client): Client {
    return observeCalls(client, (_method, args) => this.#note(args));
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
