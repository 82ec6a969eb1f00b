import type { Lease, Stored } from "../../src/types/mod.ts";

/** Leases on a server, without a promise: what a simulation of thousands of seeds can afford. */
export class Register {
  readonly #leases = new Map<string, Stored<Lease>>();
  #version = 0;

  get(name: string): Stored<Lease> | undefined {
    return this.#leases.get(name);
  }

  /** Returns all Leases. The objects are never changed. */
  list(): Stored<Lease>[] {
    return [...this.#leases.values()];
  }

  /** Returns undefined if the Lease exists. */
  create(body: Lease): Stored<Lease> | undefined {
    const name = body.metadata.name ?? "";
    if (this.#leases.has(name)) return undefined;
    const uid = `uid-${++this.#version}`;
    return this.#store(name, { ...body, metadata: { ...body.metadata, name, uid } });
  }

  /** Returns undefined if the stored Lease is another version. */
  update(body: Lease): Stored<Lease> | undefined {
    const name = body.metadata.name ?? "";
    const stored = this.#leases.get(name);
    if (stored?.metadata.resourceVersion !== body.metadata.resourceVersion) return undefined;
    if (stored?.metadata.uid !== body.metadata.uid) return undefined;
    // As Kubernetes does: a write that changes nothing makes no new version.
    const isSame = stored?.spec?.renewTime === body.spec?.renewTime &&
      JSON.stringify(stored) === JSON.stringify(body);
    if (isSame) return stored;
    return this.#store(name, body);
  }

  /** Deletes a Lease, if it is still this version. */
  delete(name: string, resourceVersion?: string): boolean {
    const stored = this.#leases.get(name);
    if (resourceVersion !== undefined && stored?.metadata.resourceVersion !== resourceVersion) {
      return false;
    }
    return this.#leases.delete(name);
  }

  #store(name: string, body: Lease): Stored<Lease> {
    const resourceVersion = String(++this.#version);
    const stored = { ...body, metadata: { ...body.metadata, resourceVersion } } as Stored<Lease>;
    this.#leases.set(name, stored);
    return stored;
  }
}
