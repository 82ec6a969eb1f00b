import {
  Backoff,
  type BackoffOptions,
  type Clock,
  delay,
  describeError,
  type Logger,
  type Random,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import { migrateDefinitions } from "../../crd/mod.ts";
import { StorageVersionMigrations } from "../../kinds/storagemigration/v1.ts";
import { CustomResourceDefinitions, type Resource, resourceName } from "../../types/mod.ts";
import type { Part } from "./parts.ts";

/** Delays after a failed migration: what it needs, such as a conversion webhook of another program, may come. */
const RETRY: BackoffOptions = {
  durationMs: 60_000,
  factor: 2,
  jitter: 0.1,
  steps: Infinity,
  capMs: 3_600_000,
};

/** Options of {@linkcode migrationPart}. */
export interface MigrationPartOptions {
  readonly client: Client;
  readonly definitions: readonly Resource[];
  /** The name of the manager, which is the field manager. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Returns the part of the leader that migrates stored objects. It tries again after a failure. */
export function migrationPart(
  { client, definitions, name, clock, random, logger }: MigrationPartOptions,
): Part {
  return {
    name: "the migration of stored objects",
    rights: [
      ...definitions.flatMap((resource) => [
        {
          resource: CustomResourceDefinitions,
          subresource: "status",
          resourceNames: [resourceName(resource)],
          verbs: ["patch"],
        },
        { resource, verbs: ["list", "patch"] },
      ]),
      { resource: StorageVersionMigrations, verbs: ["get", "create", "delete"] },
    ],
    async run({ signal }) {
      const delays = new Backoff(RETRY, random);
      for (;;) {
        try {
          await migrateDefinitions(client, definitions, { fieldManager: name, signal });
          return;
        } catch (error) {
          signal.throwIfAborted();
          const delayMs = delays.step();
          logger.error(
            `${name}: ${describeError(error)}; trying again in ${Math.round(delayMs / 60_000)} min`,
          );
          await delay(delayMs, { clock, signal });
        }
      }
    },
  };
}
