/** Answers in which our server differs from a real one, with the reason. */

interface KnownDifference {
  readonly set: string;
  /** The ids of the entries, or in scenarios the numbers of their steps. */
  readonly ids: readonly (string | number)[];
  /** The minor versions whose answers differ. Default: all of them. */
  readonly minors?: readonly string[];
  readonly reason: string;
}

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const API = "io.k8s.api.";
const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

const KNOWN: readonly KnownDifference[] = [
  {
    set: "fresh_objects",
    ids: [`${ROLES} /admin`, `${ROLES} /edit`, `${ROLES} /view`],
    reason: "the recorded cluster has no controller that gathers rules",
  },
  {
    set: "fresh_objects",
    ids: ["/api/v1/configmaps kube-system/extension-apiserver-authentication"],
    reason: "this server has no certificate authority for clients",
  },
  {
    set: "openapi",
    ids: [
      `${API}core.v1.AppArmorProfile`,
      `${API}core.v1.SeccompProfile`,
      `${API}discovery.v1.EndpointSlice`,
      `${API}flowcontrol.v1.LimitResponse`,
      `${API}flowcontrol.v1.PriorityLevelConfigurationSpec`,
      `${API}flowcontrol.v1.Subject`,
      `${API}policy.v1.PodDisruptionBudgetSpec`,
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
      "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec",
    ],
    reason: "keywords that have no effect (unions, granular maps), and a few details of raw fields",
  },
  {
    set: "openapi",
    ids: [`${API}networking.v1.IngressRule`],
    minors: ["1.35", "1.36"],
    reason: "keywords that have no effect (unions)",
  },
  {
    set: "openapi",
    ids: [
      `${API}core.v1.PodSchedulingGroup`,
      `${API}scheduling.v1alpha3.WorkloadPodGroupDisruptionMode`,
      `${API}scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy`,
    ],
    minors: ["1.36", "1.37"],
    reason: "keywords that have no effect (unions)",
  },
  {
    set: "openapi",
    ids: [
      ...["APIResource", "APIResourceList", "DeleteOptions", "Status", "WatchEvent"],
    ].map((name) => META + name),
    reason: "describes discovery, or names all groups of a whole cluster",
  },
  {
    set: "scenarios/structure",
    ids: [205],
    reason: "shows the errors of the first part of anyOf, not of the part that fits best",
  },
  {
    set: "scenarios/ownership",
    ids: [55],
    reason: "the type of a port is checked before it is decoded",
  },
  {
    set: "scenarios/autoscalers",
    ids: [77],
    reason: "a Table in autoscaling/v1 shows only the first of several targets for CPU",
  },
  {
    set: "expressions",
    ids: ["self.`with-dash`", "object 2", "object 10"],
    minors: ["1.35", "1.36"],
    reason: "expressions are those of Kubernetes 1.37: fields between backquotes, and two lists",
  },
  {
    set: "scenarios/hooks-kinds",
    ids: [32, 88],
    reason: "validating webhooks see an empty list as it is stored, which is null",
  },
  {
    set: "scenarios/sources",
    ids: [
      ...[69, 70, 72, 76, 84, 102, 103, 119, 122, 126, 134, 146, 153, 154, 155, 156, 157, 158],
      ...[162, 163, 164, 165, 166, 167, 168, 170, 172, 174, 176, 177],
    ],
    reason: "a rare mistake in YAML has another message",
  },
];

/** Returns the known differences of a set from a minor version that are among the ids of its entries. */
export function knownDifferences(
  set: string,
  minor: string,
  ids: Iterable<string>,
): ReadonlySet<string> {
  const known = KNOWN
    .filter((one) => one.set === set && (one.minors?.includes(minor) ?? true))
    .flatMap((one) => one.ids);
  const isKnown = (id: string) =>
    known.some((one) => typeof one === "number" ? id.startsWith(`${one} `) : one === id);
  return new Set([...ids].filter(isKnown));
}
