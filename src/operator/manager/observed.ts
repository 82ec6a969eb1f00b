import {
  type AnnotationChange,
  type Clock,
  pauseAnnotations,
  reconcileAnnotations,
  resumeAnnotations,
} from "../../base/mod.ts";
import { type SharedInformer, splitMetaNamespaceKey } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import type {
  ActionName,
  ObservedController,
  ObservedManager,
  ObservedWatch,
} from "../../see/mod.ts";
import { explainError, metadataOf, type Resource, resourceName } from "../../types/mod.ts";
import type { ControllerPlan, ManagedController } from "../builder/mod.ts";
import type { KindCaches } from "./kind_caches.ts";

/** The time limit of an action, in milliseconds. */
const ACTION_LIMIT_MS = 10_000;

/** The parts of a manager that its page shows. */
export interface ObservedParts extends
  Pick<
    ObservedManager,
    "name" | "clock" | "redact" | "stories" | "takesActions" | "phase"
  > {
  readonly client: Client;
  readonly caches: KindCaches;
  readonly controllers: () => readonly ManagedController[];
  readonly plans: () => readonly ControllerPlan[];
}

/** Returns a manager as its page reads it. */
export function observedManager(parts: ObservedParts): ObservedManager {
  const { caches, client, controllers, plans, ...rest } = parts;
  const observed = new Map<ManagedController, ObservedController>();
  const observedOf = (controller: ManagedController) => {
    const known = observed.get(controller);
    if (known !== undefined) return known;
    const resource = plans().find(({ name }) => name === controller.name)!.resource;
    const made = observedController(controller, client, resource, rest.clock);
    observed.set(controller, made);
    return made;
  };
  let isWatched = false;
  return {
    ...rest,
    server: client.requiredPermissions.hosts.join(", ") || "in this process",
    controllers: () => {
      // A controller that was added meanwhile.
      if (isWatched) { for (const { observer } of controllers()) observer.isWatched = true; }
      return controllers().map(observedOf);
    },
    watches: () => watchesOf(caches, controllers(), plans()),
    absentKinds: () => caches.served.absent,
    watched: (next) => {
      isWatched = next;
      if (next) rest.stories.keepValues();
      for (const { observer } of controllers()) observer.isWatched = next;
    },
  };
}

function observedController(
  { name, observer }: ManagedController,
  client: Client,
  resource: Resource,
  clock: Clock,
): ObservedController {
  return {
    name,
    resource,
    load: () => observer.load(),
    troubles: (limit) => observer.troubles(limit),
    isQueued: (key) => observer.isQueued(key),
    hasObject: (key) => observer.hasObject(key),
    pauseOf: (key) => observer.pauseOf(key),
    dueMs: (key) => observer.dueMs(key),
    keys: () => observer.keys(),
    versions: (key) => observer.versions(key),
    act: (key, name) => annotate(client, resource, key, annotationsOf(name, clock)),
  };
}

function annotationsOf(name: ActionName, clock: Clock): AnnotationChange {
  switch (name) {
    case "reconcile":
      return reconcileAnnotations(clock.wallNow());
    case "pause":
      return pauseAnnotations("true", false);
    case "resume":
      return resumeAnnotations();
  }
}

async function annotate(
  client: Client,
  resource: Resource,
  key: string,
  annotations: AnnotationChange,
): Promise<void> {
  const { name, namespace } = splitMetaNamespaceKey(key);
  try {
    await client.patch(metadataOf(resource), name, { metadata: { annotations } }, {
      namespace: namespace || undefined,
      timeoutMs: ACTION_LIMIT_MS,
      maxRetries: 0,
    });
  } catch (error) {
    throw new Error(
      `The annotation of ${resourceName(resource)} ${key} was not set: ${explainError(error)}`,
      { cause: error },
    );
  }
}

function watchesOf(
  caches: KindCaches,
  controllers: readonly ManagedController[],
  plans: readonly ControllerPlan[],
): ObservedWatch[] {
  const users = new Map<SharedInformer, { names: string[]; lagMs: number | undefined }>();
  for (const { name, observer } of controllers) {
    for (const [informer, lagMs] of observer.informers()) {
      const known = users.get(informer) ?? { names: [], lagMs: undefined };
      users.set(informer, known);
      known.names.push(name);
      if (lagMs !== undefined) known.lagMs = Math.max(known.lagMs ?? 0, lagMs);
    }
  }
  return caches.informers.map((informer) => {
    const { names, lagMs } = users.get(informer) ?? { names: referrers(informer, plans) };
    return watchOf(informer, names, lagMs);
  });
}

/** Returns the names of the controllers whose references an informer may follow. */
function referrers({ name }: SharedInformer, plans: readonly ControllerPlan[]): string[] {
  const [resource] = name.split(" (");
  return plans.filter(({ references }) =>
    references.some((one) => resourceName(one.resource) === resource)
  ).map(({ name }) => name);
}

function watchOf(
  shared: SharedInformer,
  controllers: readonly string[],
  lagMs: number | undefined,
): ObservedWatch {
  const { informer, name, objects } = shared.snapshot();
  return {
    name,
    controllers,
    lagMs,
    objects,
    queued: informer?.queuedItems ?? 0,
    phase: informer?.phase ?? "idle",
    lists: informer?.lists ?? 0,
    streamingLists: informer?.streamingLists ?? 0,
    watches: informer?.watches ?? 0,
    events: informer?.events ?? 0,
    lastError: informer?.lastError,
    lastErrorTimeMs: informer?.lastErrorTimeMs,
  };
}
