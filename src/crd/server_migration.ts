import { describeError } from "../base/mod.ts";
import {
  type StorageVersionMigration,
  StorageVersionMigrations,
} from "../kinds/storagemigration/v1.ts";
import {
  CustomResourceDefinitions,
  findStatusCondition,
  isAlreadyExists,
  isForbidden,
  isNotFound,
  isStatusConditionTrue,
  type Stored,
} from "../types/mod.ts";
import type { Definition, MigrationRequests } from "./migration_requests.ts";

/** The annotation with the generation of the definition for which the migration was made. */
const GENERATION = "kubeloop/generation";
/** The annotation with the versions in which objects were stored before the migration. */
const STORED_VERSIONS = "kubeloop/stored-versions";

/** The time, in milliseconds, in which a running controller starts, tries again or ends a migration. */
const PATIENCE_MS = 60_000;

/** Delays between two reads of an unfinished migration. */
const POLL = { durationMs: 500, factor: 2, steps: Infinity, capMs: 5_000 };

/** How a migration by the server has ended. */
export interface ServerMigrationEnd {
  /** Whether all objects are rewritten, for the present generation of the definition. */
  readonly isDone: boolean;
  /**
   * The versions in which objects may be stored if it is not done. A server forgets them even when the migration has failed.
   */
  readonly storedVersions: readonly string[];
}

type Found = Stored<StorageVersionMigration>;

/**
 * The migration of the stored objects of a definition by the server: kube-controller-manager does so for a
 * StorageVersionMigration.
 */
export class ServerMigration {
  readonly #requests: MigrationRequests;
  readonly #definition: Definition;
  /** Each life of a program makes the same name, so that it finds what an earlier life has left. */
  readonly #name: string;

  /** @param definition The present state of the definition. */
  constructor(requests: MigrationRequests, definition: Definition) {
    this.#requests = requests;
    this.#definition = definition;
    this.#name = `kubeloop-${definition.metadata.uid}`;
  }

  /** Waits for the end of a migration that an earlier life of the program has left; undefined if there is none. */
  async recover(): Promise<ServerMigrationEnd | undefined> {
    const left = await this.#get();
    return left && await this.#follow(left);
  }

  /** Migrates the objects; undefined if the server cannot. */
  async run(): Promise<ServerMigrationEnd | undefined> {
    await this.#keepVersions();
    const made = await this.#create();
    return made && await this.#follow(made);
  }

  /** Deletes the migration. The server then stops it if it still runs. */
  async forget(): Promise<void> {
    const { client, read } = this.#requests;
    await this.#requests.attempt("delete storageversionmigrations", async () => {
      try {
        await client.delete(StorageVersionMigrations, this.#name, read);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
  }

  /**
   * Becomes an owner of `status.storedVersions`. kube-controller-manager applies that field at the end of a migration, and
   * leaves it out at the start of the next one, which would remove all versions at once if it were the only owner.
   */
  async #keepVersions(): Promise<void> {
    const { client, read, write } = this.#requests;
    const { metadata: { name = "" }, status } = this.#definition;
    if (findStatusCondition(status?.conditions, "StorageMigrating") === undefined) return;
    await this.#requests.attempt(`patch ${name}/status`, async () => {
      const current = await client.get(CustomResourceDefinitions, name, read);
      const { resourceVersion } = current.metadata;
      const storedVersions = [...current.status?.storedVersions ?? []];
      await client.apply(
        CustomResourceDefinitions,
        { metadata: { name, resourceVersion }, status: { storedVersions } },
        { ...write, subresource: "status", force: true },
      );
    });
  }

  async #create(): Promise<Found | undefined> {
    const { client, logger, write } = this.#requests;
    const { metadata, spec, status } = this.#definition;
    const cannot = (why: string) => {
      logger.info(`The server does not migrate the stored objects of ${metadata.name}: ${why}`);
      return undefined;
    };
    return await this.#requests.attempt("create storageversionmigrations", async () => {
      try {
        return await client.create(StorageVersionMigrations, {
          metadata: {
            name: this.#name,
            annotations: {
              [GENERATION]: String(metadata.generation),
              [STORED_VERSIONS]: (status?.storedVersions ?? []).join(),
            },
          },
          spec: { resource: { group: spec.group, resource: spec.names.plural } },
        }, write);
      } catch (error) {
        if (isNotFound(error)) return cannot("it has no StorageVersionMigrations");
        if (isForbidden(error)) return cannot(describeError(error));
        // The answer to an earlier attempt may have been lost.
        if (isAlreadyExists(error)) return await this.#get();
        throw error;
      }
    });
  }

  async #get(): Promise<Found | undefined> {
    const { client, read } = this.#requests;
    return await this.#requests.attempt("get storageversionmigrations", async () => {
      try {
        return await client.get(StorageVersionMigrations, this.#name, read);
      } catch (error) {
        if (isNotFound(error) || isForbidden(error)) return undefined;
        throw error;
      }
    });
  }

  /** Waits until a migration for the present generation has ended. */
  async #follow(found: Found): Promise<ServerMigrationEnd> {
    const { annotations = {} } = found.metadata;
    const isSame = annotations[GENERATION] === String(this.#definition.metadata.generation);
    const ended = isSame || isOver(found) ? await this.#ended(found) : undefined;
    const isDone = isSame && ended !== undefined && has(ended, "Succeeded");
    if (!isDone) {
      const conditions = ended?.status?.conditions;
      const { message } = findStatusCondition(conditions, "Failed") ??
        findStatusCondition(conditions, "Running") ??
        { message: isSame ? "it has not started" : "it was for an earlier definition" };
      this.#requests.logger.info(
        `The server does not complete the migration of ${this.#what}, so its objects are rewritten without it: ${message}`,
      );
    }
    return { isDone, storedVersions: (annotations[STORED_VERSIONS] ?? "").split(",") };
  }

  /**
   * Waits until a migration has ended, or nothing has happened for a minute.
   *
   * @returns Its last state; undefined if another program has deleted it.
   */
  async #ended(found: Found): Promise<Found | undefined> {
    const { logger } = this.#requests;
    const delays = this.#requests.delays(POLL);
    let current: Found | undefined = found;
    let known = "it has not started";
    let movedMs = this.#requests.now();
    while (current !== undefined) {
      if (isOver(current) && !has(current, "Running")) return current;
      const message = findStatusCondition(current.status?.conditions, "Running")?.message ?? known;
      if (message !== known) {
        logger.info(`The server migrates the stored objects of ${this.#what}: ${message}`);
      }
      known = message;
      if (isMoving(current)) movedMs = this.#requests.now();
      if (this.#requests.now() - movedMs >= PATIENCE_MS) return current;
      await this.#requests.pause(delays.step());
      current = await this.#get();
    }
    return undefined;
  }

  get #what(): string {
    return this.#definition.metadata.name ?? "";
  }
}

function has({ status }: Found, type: string): boolean {
  return isStatusConditionTrue(status?.conditions, type);
}

/** Reports whether the objects are rewritten, or one could not be. The end is noted in the definition after that. */
function isOver(migration: Found): boolean {
  return has(migration, "Succeeded") || has(migration, "Failed");
}

/** Reports whether a migration runs without errors. It shows no progress before its end. */
function isMoving(migration: Found): boolean {
  const running = findStatusCondition(migration.status?.conditions, "Running");
  return !isOver(migration) && running?.status === "True" &&
    !running.message?.includes("transient error");
}
