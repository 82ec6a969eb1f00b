import {
  apiVersionOf,
  type Cached,
  type Condition,
  type DeepReadonly,
  findStatusCondition,
  formatTime,
  isConflict,
  isNotFound,
  metadataOf,
  type ResourceDescriptor,
  resourceName,
  setStatusCondition,
  StatusError,
} from "@kubeloop/controller/types";
import { delay } from "@kubeloop/controller/internal/base";
import { DeletedFinalStateUnknown } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Actor,
  type ActorOptions,
  discoverResources,
  Reconciler,
  type ServedResource,
} from "../control/mod.ts";
import { DefinitionProgress } from "./definition_progress.ts";
import {
  has,
  isOver,
  resourceOf,
  type StorageVersionMigration,
  StorageVersionMigrations,
} from "./migration_kinds.ts";

/** The verbs that a resource must support. */
const VERBS = ["update", "patch", "list"];

/** The resources that the garbage collector does not watch. A real controller takes the objects from its caches. */
const UNKNOWN_TO_COLLECTOR: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/** The age of a migration, in milliseconds, up to which its resource may still become served. */
const PATIENCE_MS = 60_000;
/** The interval, in milliseconds, at which the controller looks for a resource that is not served. */
const LOOK_AGAIN_MS = 10_000;

const RUNNING = "The migration is running";

/**
 * Rewrites the stored objects of a resource in its storage version, as kube-controller-manager does for each
 * StorageVersionMigration: one after the other for a resource, and for a custom resource with the stored versions of its
 * definition. It ends at once if the server does not serve StorageVersionMigrations.
 */
export class StorageVersionMigrator implements Actor {
  /** `storage-version-migrator-controller` */
  readonly name: string = "storage-version-migrator-controller";
  readonly #frame: Reconciler<StorageVersionMigration>;
  readonly #definitions: DefinitionProgress;

  /** Creates a controller, which does nothing until {@linkcode StorageVersionMigrator.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: StorageVersionMigrations,
      reconcile: (migration, signal) => this.#reconcile(migration, signal),
    });
    const { client, clock } = this.#frame;
    this.#definitions = new DefinitionProgress(client, () => clock.wallNow());
  }

  /** Runs the controller until `signal` aborts. */
  async run(call: { readonly signal: AbortSignal }): Promise<void> {
    if (!await this.#isServed(call.signal)) return;
    // Only one migration of a resource runs at a time: the end of one may be the start of another.
    const enqueueOthers = (migration: Cached<StorageVersionMigration>) => {
      for (const other of this.#siblings(migration)) this.#frame.enqueue(other.metadata.name!);
    };
    this.#frame.objects.addEventHandler({
      onUpdate: (_old, migration) => enqueueOthers(migration),
      onDelete: (last) => {
        const migration = DeletedFinalStateUnknown.lastKnownState(last);
        if (migration !== undefined) enqueueOthers(migration);
      },
    });
    await this.#frame.run(call);
  }

  /** Reports whether the server serves StorageVersionMigrations; asks until it answers. */
  async #isServed(signal: AbortSignal): Promise<boolean> {
    const { clock, logger } = this.#frame;
    while (!signal.aborted) {
      try {
        return await this.#find(StorageVersionMigrations, signal) !== undefined;
      } catch (error) {
        if (signal.aborted) break;
        logger.warn(`The ${this.name} cannot discover its resource, and tries again`, error);
        await delay(LOOK_AGAIN_MS, { clock, signal }).catch(() => {});
      }
    }
    return false;
  }

  async #reconcile(
    migration: Cached<StorageVersionMigration>,
    signal: AbortSignal,
  ): Promise<ReconcileResult | void> {
    if (isOver(migration)) {
      if (has(migration, "Running")) await this.#finish(migration, signal);
    } else if (!has(migration, "Running")) {
      if (this.#isNext(migration)) await this.#start(migration, signal);
    } else return await this.#proceed(migration, signal);
  }

  #siblings(migration: Cached<StorageVersionMigration>): Cached<StorageVersionMigration>[] {
    return this.#frame.objects.indexer.list().filter((other) =>
      resourceOf(other) === resourceOf(migration) && other.metadata.name !== migration.metadata.name
    );
  }

  /** Reports whether a migration is the oldest that waits, and no other one of the resource runs. */
  #isNext(migration: Cached<StorageVersionMigration>): boolean {
    const age = ({ metadata }: Cached<StorageVersionMigration>) =>
      `${metadata.creationTimestamp} ${metadata.name}`;
    return this.#siblings(migration).every((other) =>
      !has(other, "Running") && (isOver(other) || age(migration) < age(other))
    );
  }

  async #start(migration: Cached<StorageVersionMigration>, signal: AbortSignal): Promise<void> {
    await this.#definitions.start(resourceOf(migration), migration.metadata.name!, signal);
    await this.#write(migration, [["Running", "MigrationRunning", RUNNING]], signal);
  }

  async #finish(migration: Cached<StorageVersionMigration>, signal: AbortSignal): Promise<void> {
    await this.#definitions.finish(resourceOf(migration), has(migration, "Succeeded"), signal);
    const end = ["Running", "MigrationCompleted", "Migration completed", "False"] as const;
    await this.#write(migration, [end], signal);
  }

  /** Notes the resource version up to which objects are rewritten, and then rewrites them. */
  async #proceed(
    migration: Cached<StorageVersionMigration>,
    signal: AbortSignal,
  ): Promise<ReconcileResult | void> {
    const until = migration.status?.resourceVersion;
    const { group = "", resource: plural = "" } = migration.spec?.resource ?? {};
    const resource = await this.#find({ group, plural }, signal);
    const missing = resource === undefined
      ? "resource does not exist in discovery"
      : until !== undefined && UNKNOWN_TO_COLLECTOR.has(resourceName(resource))
      ? "migration encountered unhandled error: resource does not exist in GC: %!w(<nil>)"
      : undefined;
    if (resource === undefined || missing !== undefined) {
      const { clock } = this.#frame;
      const ageMs = clock.wallNow() - Date.parse(migration.metadata.creationTimestamp ?? "");
      if (ageMs < PATIENCE_MS) return { requeueAfterMs: LOOK_AGAIN_MS };
      return await this.#fail(migration, missing!, signal);
    }
    if (until !== undefined) return await this.#migrate(migration, resource, until, signal);
    if (!VERBS.every((verb) => resource.verbs.includes(verb))) {
      const name = `"${apiVersionOf(resource)}, Resource=${plural}"`;
      const message = `resource ${name} does not support discovery operations: [${
        VERBS.join(" ")
      }]`;
      return await this.#fail(migration, message, signal);
    }
    const page = await this.#frame.client.list(metadataOf(resource), { limit: 1, signal });
    const resourceVersion = page.metadata?.resourceVersion;
    await this.#write(migration, [], signal, { resourceVersion });
  }

  async #migrate(
    migration: Cached<StorageVersionMigration>,
    resource: ServedResource,
    until: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { client } = this.#frame;
    const apiVersion = apiVersionOf(resource);
    const { items } = await client.list(metadataOf(resource), { signal });
    const old = items.filter(({ metadata }) =>
      BigInt(metadata.resourceVersion ?? 0) <= BigInt(until)
    );
    let left = old.length;
    for (const { metadata: { name, namespace, resourceVersion } } of old) {
      const patch = { apiVersion, kind: resource.kind, metadata: { resourceVersion } };
      const call = {
        ...(namespace === undefined ? {} : { namespace }),
        fieldManager: this.name,
        signal,
      };
      try {
        await client.patch(resource, name, patch, call);
      } catch (error) {
        // Another client has changed or created the object since, so it is stored in the new version.
        if (!isConflict(error) && !isNotFound(error)) {
          return await this.#interrupt(migration, error, { left, total: items.length, signal });
        }
      }
      left--;
    }
    const verified = items.length === 0 ? "" : `, ${items.length} objects verified migrated`;
    await this.#write(migration, [
      ["Running", "MigrationRunning", `${RUNNING}${verified}`],
      ["Succeeded", "StorageVersionMigrationSucceeded", "Migration completed"],
    ], signal);
  }

  /** Notes why an object could not be rewritten: the migration fails, or is tried again if that can help. */
  async #interrupt(
    migration: Cached<StorageVersionMigration>,
    error: unknown,
    { left, total, signal }: {
      readonly left: number;
      readonly total: number;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    signal.throwIfAborted();
    const running = `${RUNNING}, ${left}/${total} objects not yet migrated`;
    const text = (error as Error).message;
    if (isTransient(error)) {
      const message = `${running}; transient error: ${text}`;
      await this.#write(migration, [["Running", "MigrationRunning", message]], signal);
      throw error;
    }
    const why = `${left}/${total} not yet migrated. migration encountered unhandled error: ${text}`;
    await this.#write(migration, [
      ["Running", "MigrationRunning", running],
      ["Failed", "StorageVersionMigrationFailed", why],
    ], signal);
  }

  async #fail(
    migration: Cached<StorageVersionMigration>,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    const failed = ["Failed", "StorageVersionMigrationFailed", message] as const;
    await this.#write(migration, [failed], signal);
  }

  /** Writes the status: conditions with their type, reason, message and status, and other fields. */
  async #write(
    { metadata: { name, resourceVersion }, status }: Cached<StorageVersionMigration>,
    changes: readonly (readonly [string, string, string, ("True" | "False")?])[],
    signal: AbortSignal,
    fields: { readonly resourceVersion?: string | undefined } = {},
  ): Promise<void> {
    const lastTransitionTime = formatTime(this.#frame.clock.wallNow());
    let conditions: readonly DeepReadonly<Condition>[] = status?.conditions ?? [];
    for (const [type, reason, message, value = "True"] of changes) {
      const present = findStatusCondition(conditions, type);
      const change = { type, status: value, reason, message, lastTransitionTime };
      conditions = setStatusCondition(conditions, { ...present, ...change });
    }
    const patch = {
      metadata: { resourceVersion },
      status: { ...fields, ...(changes.length === 0 ? {} : { conditions }) },
    };
    await this.#frame.client.patchStatus(StorageVersionMigrations, name!, patch, { signal });
  }

  /** Returns a served resource, in the preferred version of its group; undefined if there is none. */
  async #find(
    { group, plural }: Pick<ResourceDescriptor, "group" | "plural">,
    signal: AbortSignal,
  ): Promise<ServedResource | undefined> {
    const served = await discoverResources(this.#frame.client, { signal });
    return served.find((one) => one.group === group && one.plural === plural);
  }
}

/** Reports whether a request that failed may succeed later. */
function isTransient(error: unknown): boolean {
  return !StatusError.is(error) || error.code === 429 || error.code >= 500;
}
