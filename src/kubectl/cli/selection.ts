import { UsageError } from "./exits.ts";
import type { Flags, FlagSet } from "./flags.ts";

/** The flags that select objects of a resource. */
export const SELECTION_FLAGS = {
  selector: { short: "l", value: "LABELS", help: "only objects with these labels, as in app=web" },
  "field-selector": {
    value: "FIELDS",
    help: "only objects with these fields, as in spec.nodeName=n1",
  },
  "all-namespaces": { short: "A", help: "the objects of all namespaces" },
} as const;

/** The selected objects of a resource. */
export interface Selection {
  /** Whether there is a selector. */
  readonly isSet: boolean;
  readonly isAllNamespaces: boolean;
  /** The selectors, as options of a list request. */
  readonly selectors: { readonly labelSelector?: string; readonly fieldSelector?: string };
}

/**
 * Returns the selection of the flags.
 *
 * @throws {UsageError} If the flags contradict each other.
 */
export function selectionOf(
  flags: Flags<typeof SELECTION_FLAGS & { readonly namespace: FlagSet[string] }>,
): Selection {
  const labelSelector = flags.text("selector");
  const fieldSelector = flags.text("field-selector");
  const isAllNamespaces = flags.has("all-namespaces");
  if (isAllNamespaces && flags.has("namespace")) {
    throw new UsageError("--namespace and --all-namespaces exclude each other: give one of them");
  }
  return {
    isSet: labelSelector !== undefined || fieldSelector !== undefined,
    isAllNamespaces,
    selectors: {
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    },
  };
}
