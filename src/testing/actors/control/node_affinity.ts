import type { Cached, Node, Pod } from "@kubeloop/controller/types";

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

/** The fields of a Pod spec about nodes that the type {@linkcode Pod} does not have. */
interface Affine {
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly Term[];
      };
    };
  };
}

/** Reports whether a node has the labels and the name that a Pod requires. */
export function matchesNode({ spec }: Cached<Pod>, { metadata }: Cached<Node>): boolean {
  const { labels = {}, name } = metadata;
  const selector = Object.entries(spec?.nodeSelector ?? {});
  if (selector.some(([key, value]) => labels[key] !== value)) return false;
  const { affinity } = (spec ?? {}) as Affine;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    ?.nodeSelectorTerms;
  if (terms === undefined) return true;
  return terms.some(({ matchExpressions = [], matchFields = [] }) =>
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((one) => holds(one, labels[one.key])) &&
    matchFields.every((one) => holds(one, one.key === "metadata.name" ? name : undefined))
  );
}

function holds({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > Number(values[0]);
    case "Lt":
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}
