import { type Condition, formatTime } from "@kubeloop/controller/types";

/** The remaining content of a namespace that is being deleted. */
export interface RemainingContent {
  /** The number of objects, by resource, written as `plural.group`. */
  readonly resources: ReadonlyMap<string, number>;
  /** The number of objects, by the finalizer that keeps them. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The error messages of failed deletions. */
  readonly failures: readonly string[];
}

function listing(counts: ReadonlyMap<string, number>, verb: string): string {
  return [...counts].map(([name, count]) => `${name} ${verb} ${count} resource instances`)
    .sort().join(", ");
}

/** Returns the conditions of a namespace that is being deleted, in the words of kube-controller-manager. */
export function namespaceConditions(
  present: readonly Condition[],
  { failures, finalizers, resources }: RemainingContent,
  nowMs: number,
): Condition[] {
  const wanted: Condition[] = [
    {
      type: "NamespaceDeletionDiscoveryFailure",
      status: "False",
      reason: "ResourcesDiscovered",
      message: "All resources successfully discovered",
    },
    {
      type: "NamespaceDeletionGroupVersionParsingFailure",
      status: "False",
      reason: "ParsedGroupVersions",
      message: "All legacy kube types successfully parsed",
    },
    failures.length === 0
      ? {
        type: "NamespaceDeletionContentFailure",
        status: "False",
        reason: "ContentDeleted",
        message: "All content successfully deleted, may be waiting on finalization",
      }
      : {
        type: "NamespaceDeletionContentFailure",
        status: "True",
        reason: "ContentDeletionFailed",
        message: `Failed to delete all resource types, ${failures.length} remaining: ${
          failures.join(", ")
        }`,
      },
    resources.size === 0
      ? {
        type: "NamespaceContentRemaining",
        status: "False",
        reason: "ContentRemoved",
        message: "All content successfully removed",
      }
      : {
        type: "NamespaceContentRemaining",
        status: "True",
        reason: "SomeResourcesRemain",
        message: `Some resources are remaining: ${listing(resources, "has")}`,
      },
    finalizers.size === 0
      ? {
        type: "NamespaceFinalizersRemaining",
        status: "False",
        reason: "ContentHasNoFinalizers",
        message: "All content-preserving finalizers finished",
      }
      : {
        type: "NamespaceFinalizersRemaining",
        status: "True",
        reason: "SomeFinalizersRemain",
        message: `Some content in the namespace has finalizers remaining: ${
          listing(finalizers, "in")
        }`,
      },
  ];
  const lastTransitionTime = formatTime(nowMs);
  return wanted.map((condition) => {
    const before = present.find(({ type }) => type === condition.type);
    return before?.status === condition.status && before.message === condition.message
      ? before
      : { ...condition, lastTransitionTime };
  });
}
