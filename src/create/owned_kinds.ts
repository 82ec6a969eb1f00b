/** A kind that the generated controller can own, and the code for it. */
export interface OwnedKind {
  readonly kind: string;
  /** The descriptor, which is a name in `module`. */
  readonly plural: string;
  /** The group and version, as in `@kubeloop/controller/types/apps/v1`. */
  readonly module: string;
  /** The fields beside `metadata`, as lines of code in which `owner` is the owner. */
  readonly body: readonly string[];
  /** A field that follows the owner: its path in the object, and its value of a size and a message, as code. */
  readonly follows?: {
    readonly path: string;
    readonly value: (size: string, message: string) => string;
  };
}

const POD = [
  "template: {",
  "  metadata: { labels: labelsOf(owner) },",
  '  spec: { containers: [{ name: "main", image: "nginx:1.29" }] },',
  "},",
];

const JOB_POD = [
  "template: {",
  "  spec: {",
  '    restartPolicy: "Never",',
  '    containers: [{ name: "main", image: "busybox:1.37", command: ["true"] }],',
  "  },",
  "},",
];

const REPLICAS = { path: ".spec?.replicas", value: (size: string) => size };

const SELECTOR = "selector: { matchLabels: labelsOf(owner) },";

/** The kinds that a controller can own from the start, by name. Others are a few lines more in the project. */
export const OWNED_KINDS: ReadonlyMap<string, OwnedKind> = new Map(
  [
    kind("ConfigMap", "core/v1", ["data: { message: owner.spec.message },"], {
      follows: { path: ".data?.message", value: (_, message) => message },
    }),
    kind("Secret", "core/v1", ["data: { size: btoa(String(owner.spec.size)) },"], {
      follows: { path: ".data?.size", value: (size) => `btoa("${size}")` },
    }),
    kind("Service", "core/v1", specOf(["selector: labelsOf(owner),", "ports: [{ port: 80 }],"])),
    kind("ServiceAccount", "core/v1", []),
    kind("Deployment", "apps/v1", specOf(["replicas: owner.spec.size,", SELECTOR, ...POD]), {
      follows: REPLICAS,
    }),
    kind(
      "StatefulSet",
      "apps/v1",
      specOf(["replicas: owner.spec.size,", "serviceName: owner.metadata.name,", SELECTOR, ...POD]),
      { follows: REPLICAS },
    ),
    kind("DaemonSet", "apps/v1", specOf([SELECTOR, ...POD])),
    kind("Job", "batch/v1", specOf(JOB_POD)),
    kind(
      "CronJob",
      "batch/v1",
      specOf(['schedule: "0 3 * * *",', "jobTemplate: {", ...indent(specOf(JOB_POD)), "},"]),
    ),
    kind(
      "HorizontalPodAutoscaler",
      "autoscaling/v2",
      specOf([
        'scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: owner.metadata.name },',
        "maxReplicas: owner.spec.size,",
      ]),
      { follows: { path: ".spec?.maxReplicas", value: (size) => size } },
    ),
    kind("PodDisruptionBudget", "policy/v1", specOf(["maxUnavailable: 1,", SELECTOR])),
    kind(
      "NetworkPolicy",
      "networking/v1",
      specOf(["podSelector: { matchLabels: labelsOf(owner) },", 'policyTypes: ["Ingress"],']),
      { plural: "NetworkPolicies" },
    ),
    kind(
      "Ingress",
      "networking/v1",
      specOf([
        "defaultBackend: { service: { name: owner.metadata.name, port: { number: 80 } } },",
      ]),
      { plural: "Ingresses" },
    ),
  ].map((one) => [one.kind, one]),
);

function kind(
  name: string,
  module: string,
  body: readonly string[],
  more: Partial<Pick<OwnedKind, "follows" | "plural">> = {},
): OwnedKind {
  return { kind: name, plural: `${name}s`, module, body, ...more };
}

function specOf(lines: readonly string[]): string[] {
  return ["spec: {", ...indent(lines), "},"];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
