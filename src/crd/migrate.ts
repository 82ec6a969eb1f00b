import { CustomResourceDefinitions, type ResourceDescriptor } from "../types/mod.ts";
import { type Definition, type MigrationOptions, MigrationRequests } from "./migration_requests.ts";
import { hasProgress, rewriteObjects } from "./rewrite_objects.ts";
import { ServerMigration } from "./server_migration.ts";

/** The number of times that a migration starts over because its definition has changed. */
const MAX_TURNS = 5;

/**
 * Rewrites the objects of a definition that are stored in earlier versions, and then removes these versions from
 * `status.storedVersions`. Sends one or two requests if there are none.
 *
 * A stop at any time loses nothing: the versions are removed after all objects are rewritten, and only if the definition is
 * the same as before.
 *
 * @param name The name of the definition.
 * @returns The definition as stored.
 * @throws {Error} If an object cannot be rewritten. The versions are kept then.
 */
export async function migrate(name: string, options: MigrationOptions): Promise<Definition> {
  const migration = new Migration(name, options);
  try {
    return await migration.run();
  } catch (error) {
    options.signal.throwIfAborted();
    const { message } = error as Error;
    throw new Error(`Cannot migrate the stored objects of ${name}${migration.state}: ${message}`, {
      cause: error,
    });
  }
}

class Migration {
  readonly #name: string;
  readonly #requests: MigrationRequests;
  /** The versions, for the error. */
  state = "";

  constructor(name: string, options: MigrationOptions) {
    this.#name = name;
    this.#requests = new MigrationRequests(options);
  }

  async run(): Promise<Definition> {
    const { logger } = this.#requests;
    for (let turn = 1; turn <= MAX_TURNS; turn++) {
      let definition = await this.#requests.definition(this.#name);
      const storage = storageOf(definition);
      const server = new ServerMigration(this.#requests, definition);
      let end = await server.recover();
      const wasLeft = end !== undefined;
      if (end !== undefined && !end.isDone) {
        definition = await this.#restore(definition, end.storedVersions);
        await server.forget();
      }
      if (isMigrated(definition)) {
        if (end?.isDone) await server.forget();
        return definition;
      }
      const versions = definition.status?.storedVersions?.join(", ");
      this.state = ` to ${storage}, status.storedVersions keeps ${versions}`;
      // The program completes a migration that an earlier life has begun.
      if (!wasLeft && !hasProgress(definition)) {
        logger.info(`Migrating the stored objects of ${this.#name} from ${versions} to ${storage}`);
        end = await server.run();
        if (end !== undefined && !end.isDone) {
          definition = await this.#restore(definition, end.storedVersions);
          await server.forget();
        }
      }
      if (!end?.isDone) await rewriteObjects(this.#requests, definition, servedOf(definition));
      const trimmed = await this.#trim(definition);
      if (end?.isDone) await server.forget();
      if (trimmed !== undefined) {
        logger.info(`All objects of ${this.#name} are stored in ${storage}`);
        return trimmed;
      }
      logger.info(`${this.#name} has changed: the migration starts over`);
    }
    throw new Error(`the definition has changed ${MAX_TURNS} times meanwhile`);
  }

  /** Keeps only the storage version in `status.storedVersions`; returns undefined if the definition has changed. */
  async #trim({ metadata, spec }: Definition): Promise<Definition | undefined> {
    const { client, read } = this.#requests;
    return await this.#requests.attempt(`patch ${this.#name}/status`, async () => {
      const current = await client.get(CustomResourceDefinitions, this.#name, read);
      const { uid, generation } = current.metadata;
      if (uid !== metadata.uid || generation !== metadata.generation) return undefined;
      if (isMigrated(current)) return current;
      return await this.#setVersions(current, [storageOf({ spec })]);
    });
  }

  /** Adds versions to `status.storedVersions` again. A version that the definition does not have any more is left out. */
  async #restore(definition: Definition, versions: readonly string[]): Promise<Definition> {
    const { client, logger, read } = this.#requests;
    return await this.#requests.attempt(`patch ${this.#name}/status`, async () => {
      const current = await client.get(CustomResourceDefinitions, this.#name, read);
      if (current.metadata.uid !== definition.metadata.uid) return definition;
      const known = current.spec.versions.map(({ name }) => name);
      const stored = current.status?.storedVersions ?? [];
      const all = known.filter((name) => stored.includes(name) || versions.includes(name));
      if (all.every((name) => stored.includes(name))) return current;
      logger.info(`Objects of ${this.#name} may be stored in ${all.join(", ")} still`);
      return await this.#setVersions(current, all);
    });
  }

  async #setVersions({ metadata }: Definition, storedVersions: string[]): Promise<Definition> {
    const { client, write } = this.#requests;
    const patch = {
      metadata: { resourceVersion: metadata.resourceVersion },
      status: { storedVersions },
    };
    return await client.patchStatus(CustomResourceDefinitions, this.#name, patch, write);
  }
}

function storageOf({ spec }: Pick<Definition, "spec">): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? "";
}

/** Reports whether all objects are stored in the storage version. */
function isMigrated(definition: Definition): boolean {
  const storage = storageOf(definition);
  return (definition.status?.storedVersions ?? []).every((name) => name === storage);
}

/** Returns the resource in a version that is served. */
function servedOf({ spec }: Definition): ResourceDescriptor {
  const { group, names, scope, versions } = spec;
  const served = versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (version === undefined) throw new Error("no version is served");
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === "Namespaced",
  };
}
