import { type Logger, PacedLogger } from "../../base/mod.ts";
import type { Named } from "../../cache/mod.ts";
import type { OperatorMetrics } from "../../metrics/mod.ts";
import { type KubeObject, resourceName } from "../../types/mod.ts";
import type { CauseEvent } from "../stories/mod.ts";
import { isAlike } from "./declared_caches.ts";
import type { FoundItem } from "./found_item.ts";
import type { KindCache } from "./kind_cache.ts";
import type { ControllerPlan, ReferencesPlan, SourcePlan } from "./plan.ts";
import type { ReferencesOf } from "./reference_names.ts";
import type { ReferenceHost } from "./reference_caches.ts";
import { ReferencedKind, type ReferencesSnapshot } from "./referenced_kind.ts";

/** Options of {@linkcode ControllerReferences}. */
export interface ControllerReferencesOptions<T extends KubeObject> {
  readonly plan: ControllerPlan<T>;
  readonly primary: KindCache<T>;
  readonly host: ReferenceHost & { readonly logger: Logger };
  readonly metrics: OperatorMetrics;
  /** Called with each key to reconcile. */
  readonly onChange: (key: string, cause: CauseEvent) => void;
  /** Called when a cache shows a change of an object. */
  readonly onSeen: (kind: ReferencedKind, object: Named) => void;
  /** Called when the references of a waiting key have synced. */
  readonly onReady: (key: string) => void;
}

/** The references of a controller to objects of other kinds. */
export class ControllerReferences<T extends KubeObject> {
  /** The referenced kinds. */
  readonly kinds: readonly ReferencedKind[];

  constructor(options: ControllerReferencesOptions<T>) {
    const { host, metrics, onChange, onReady, onSeen, plan, primary } = options;
    const logger = new PacedLogger(host.logger, host.clock);
    this.kinds = plan.references.map(({ resource, functions, optional }) => {
      const kind: ReferencedKind = new ReferencedKind({
        controller: plan.name,
        resource,
        functions: functions as unknown as readonly ReferencesOf<KubeObject>[],
        primary: primary as unknown as KindCache,
        optional,
        isWide: plan.sources.some((source) => isComplete(source, resource)),
        host,
        logger,
        metrics: metrics.references(resourceName(resource)),
        onChange,
        onSeen: (object) => onSeen(kind, object),
        onReady,
      });
      return kind;
    });
  }

  /** Follows the references until the signal aborts. */
  async run(call: { readonly signal: AbortSignal }): Promise<void> {
    await Promise.all(this.kinds.map((kind) => kind.run(call)));
  }

  /** Begins the reconcile of a key. Returns false if the key must wait until its references have synced. */
  begin(key: string, found: FoundItem<T>): boolean {
    let isReady = true;
    const referrer = found as unknown as FoundItem<KubeObject>;
    // Each kind must know that the key waits.
    for (const kind of this.kinds) if (!kind.admits(key, referrer)) isReady = false;
    if (!isReady) return false;
    for (const kind of this.kinds) kind.begin(key, referrer);
    return true;
  }

  /** Records that the reconcile of a key has ended. */
  end(key: string): void {
    for (const kind of this.kinds) kind.end(key);
  }

  snapshot(): readonly ReferencesSnapshot[] {
    return this.kinds.map((kind) => kind.snapshot());
  }
}

/** Reports whether a source caches all objects of the referenced kind, in the namespaces of the manager. */
function isComplete(
  { resource, scope }: SourcePlan,
  referenced: ReferencesPlan["resource"],
): boolean {
  const { namespaces, labelSelector, fieldSelector } = scope;
  return isAlike(resource, referenced) &&
    [namespaces, labelSelector, fieldSelector].every((part) => part === undefined);
}
