import type { KindInfo } from "../../schema/mod.ts";

/** The strategy of a kind: what writes may do, and which fields the server controls. */
export interface KindStrategy {
  /** Whether the kind has a status subresource, so that other writes ignore the status. */
  readonly hasStatus: boolean;
  /** Whether `metadata.generation` increases with each change of the desired state. */
  readonly counts: boolean;
  /** Whether an update of an object that does not exist creates the object. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether an update may omit the resource version. */
  readonly allowUnconditionalUpdate: boolean;
  /** The metadata fields that a write to the status subresource does not change; `*` stands for all of them. */
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
const WEBHOOKS = strategy({ counts: true, allowUnconditionalUpdate: false });
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
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": WEBHOOKS,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": WEBHOOKS,
  "apiextensions.k8s.io/CustomResourceDefinition": strategy({
    hasStatus: true,
    counts: true,
    allowUnconditionalUpdate: false,
    statusKeeps: ["*"],
  }),
};

/** Returns the strategy of a kind. */
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
 * Returns the paths of the fields that a request cannot change. The field manager of the request does not become an
 * owner of these fields.
 *
 * @param subresource The subresource that the request writes; empty for the object itself.
 */
export function resetFieldsOf(kind: KindInfo, subresource: string): readonly (readonly string[])[] {
  const { hasStatus, statusKeeps } = strategyOf(kind);
  if (!hasStatus) return [];
  if (subresource !== "status") return [["status"]];
  if (kind.custom !== undefined) return [["spec"]];
  const metadata = statusKeeps.map((name) => name === "*" ? ["metadata"] : ["metadata", name]);
  return [["spec"], ...metadata];
}
