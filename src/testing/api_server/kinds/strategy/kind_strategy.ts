import type { KindInfo } from "../../schema/mod.ts";

/** What the server does with the parts of an object that its writer does not own. */
export interface KindStrategy {
  /** Whether it has a status that only `/status` writes. */
  readonly hasStatus: boolean;
  /** Whether `metadata.generation` counts changes of the spec. */
  readonly counts: boolean;
  /** Whether a PUT of an object that does not exist creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether a PUT may leave out the resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
  /** Metadata that a write of the status leaves alone. */
  readonly statusKeeps: readonly string[];
}

function strategy(own: Partial<KindStrategy> = {}): KindStrategy {
  return {
    hasStatus: false,
    counts: false,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    statusKeeps: [],
    ...own,
  };
}

const PLAIN = strategy();
const RBAC = strategy({ allowCreateOnUpdate: true });
const WITH_STATUS = strategy({ hasStatus: true });
const COUNTED = strategy({ hasStatus: true, counts: true });

const STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  "/Pod": strategy({
    hasStatus: true,
    counts: true,
    statusKeeps: ["deletionTimestamp", "ownerReferences"],
  }),
  "/Node": WITH_STATUS,
  "/Namespace": WITH_STATUS,
  "/Service": strategy({ hasStatus: true, allowCreateOnUpdate: true }),
  "/Event": strategy({ allowCreateOnUpdate: true }),
  "events.k8s.io/Event": strategy({ allowCreateOnUpdate: true }),
  "apps/Deployment": strategy({ hasStatus: true, counts: true, statusKeeps: ["labels"] }),
  "apps/ReplicaSet": COUNTED,
  "batch/Job": COUNTED,
  "policy/PodDisruptionBudget": strategy({
    hasStatus: true,
    counts: true,
    allowUnconditionalUpdate: false,
  }),
  "coordination.k8s.io/Lease": strategy({
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  }),
  "rbac.authorization.k8s.io/Role": RBAC,
  "rbac.authorization.k8s.io/ClusterRole": RBAC,
  "rbac.authorization.k8s.io/RoleBinding": RBAC,
  "rbac.authorization.k8s.io/ClusterRoleBinding": RBAC,
  "apiextensions.k8s.io/CustomResourceDefinition": strategy({
    hasStatus: true,
    counts: true,
    allowUnconditionalUpdate: false,
    statusKeeps: ["*"],
  }),
};

/** The strategy of a kind. */
export function strategyOf(kind: KindInfo): KindStrategy {
  if (kind.custom !== undefined) {
    return strategy({
      hasStatus: kind.custom.status,
      counts: true,
      allowUnconditionalUpdate: false,
      statusKeeps: ["*"],
    });
  }
  const id = `${kind.group}/${kind.kind}`;
  return Object.hasOwn(STRATEGIES, id) ? STRATEGIES[id]! : PLAIN;
}

/**
 * The paths that a request cannot change, whatever it says, and that its manager therefore does not come to own.
 *
 * @param subresource The part that the request writes; empty for the object.
 */
export function resetFieldsOf(kind: KindInfo, subresource: string): readonly (readonly string[])[] {
  const { hasStatus, statusKeeps } = strategyOf(kind);
  if (!hasStatus) return [];
  if (subresource !== "status") return [["status"]];
  if (kind.custom !== undefined) return [["spec"]];
  const metadata = statusKeeps.map((name) => name === "*" ? ["metadata"] : ["metadata", name]);
  return [["spec"], ...metadata];
}
