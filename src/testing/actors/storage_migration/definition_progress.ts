import type { Client } from "@kubeloop/controller/client";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  formatTime,
  isNotFound,
  type Stored,
} from "@kubeloop/controller/types";

/** The field manager of the conditions. */
const MANAGER = "migration-runner-controller";

/** The status, the reason and the message of the condition. */
interface Progress {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** Writes the condition `StorageMigrating` of a CustomResourceDefinition whose objects are migrated. */
export class DefinitionProgress {
  readonly #client: Client;
  readonly #now: () => number;

  /** Writes with `client`; `now` returns the wall time in milliseconds since 1970. */
  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** Notes that a migration has started. Does nothing for a built-in resource. */
  async start(definition: string, migration: string, signal: AbortSignal): Promise<void> {
    const crd = await this.#read(definition, signal);
    if (crd === undefined) return;
    await this.#apply(crd, {
      status: "True",
      reason: "MigrationRunning",
      message: `Migration ${migration} is running`,
    }, signal);
  }

  /**
   * Notes that a migration has ended, and keeps only the storage version as the version of stored objects, if the
   * definition has not changed since the start. A real controller does so for a failed migration, too.
   */
  async finish(definition: string, succeeded: boolean, signal: AbortSignal): Promise<void> {
    const crd = await this.#read(definition, signal);
    if (crd === undefined) return;
    const known = crd.status?.conditions?.find(({ type }) => type === "StorageMigrating");
    const isSame = known?.observedGeneration === crd.metadata.generation;
    const stored = isSame
      ? "and the stored versions have been updated"
      : "but the stored versions have not been updated due to a generation mismatch";
    const progress: Progress = succeeded
      ? {
        status: "False",
        reason: "MigrationSucceeded",
        message: `The migration has succeeded ${stored}`,
      }
      : { status: "False", reason: "MigrationFailed", message: "The migration has failed" };
    const storage = crd.spec.versions.find((one) => one.storage);
    await this.#apply(crd, progress, signal, isSame && storage ? [storage.name] : undefined);
  }

  async #read(
    name: string,
    signal: AbortSignal,
  ): Promise<Stored<CustomResourceDefinition> | undefined> {
    try {
      return await this.#client.get(CustomResourceDefinitions, name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #apply(
    { metadata: { name, generation, resourceVersion } }: Stored<CustomResourceDefinition>,
    progress: Progress,
    signal: AbortSignal,
    storedVersions?: string[],
  ): Promise<void> {
    const condition = {
      type: "StorageMigrating",
      ...progress,
      lastTransitionTime: formatTime(this.#now()),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    const status = {
      conditions: [condition],
      ...(storedVersions === undefined ? {} : { storedVersions }),
    };
    await this.#client.apply(CustomResourceDefinitions, {
      metadata: { name, resourceVersion },
      status,
    }, {
      fieldManager: MANAGER,
      force: true,
      subresource: "status",
      signal,
    });
  }
}
