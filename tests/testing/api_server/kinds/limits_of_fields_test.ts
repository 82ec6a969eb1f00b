/** Numbers and lengths at the limits of their fields are accepted, and those next to them refused. */

import { assertEquals } from "@std/assert";
import { isObject } from "../../../../src/testing/values/mod.ts";
import type { KindInfo } from "../../../../src/testing/api_server/schema/kind.ts";
import { causes, create, kindOf, type Loose, POD } from "../support.ts";

const MAX_INT32 = 2 ** 31 - 1;
const container = { name: "c", image: "i" };

/** Returns what `fields` adds to `base`: objects are merged, everything else is replaced. */
function merged(base: Loose, fields: Loose): Loose {
  const out = { ...base };
  for (const [key, value] of Object.entries(fields)) {
    out[key] = isObject(value as Loose) && isObject(out[key]) ? merged(out[key], value) : value;
  }
  return out;
}

const repeated = (length: number, one: (index: number) => Loose): Loose[] =>
  Array.from({ length }, (_, index) => one(index));

/** The errors of an object with these fields; none if it is accepted. */
function errors(kind: KindInfo, base: Loose, fields: Loose): string[] {
  const body = merged(base, fields);
  try {
    create(kind, body);
    return [];
  } catch {
    return causes(() => create(kind, body));
  }
}

type Limit = readonly [
  field: string,
  fields: (value: Loose) => Loose,
  accepted: readonly Loose[],
  refused: readonly Loose[],
];

function check(kind: KindInfo, base: Loose, limits: readonly Limit[]): void {
  for (const [field, fields, accepted, refused] of limits) {
    for (const value of accepted) {
      assertEquals(errors(kind, base, fields(value)), [], `${field} ${value}`);
    }
    for (const value of refused) {
      const named = errors(kind, base, fields(value)).map((text) => text.split(": ")[0]);
      assertEquals(named, [field], `${field} ${value}`);
    }
  }
}

Deno.test("ApiServer accepts a Pod up to the limits of its fields", () => {
  const of = (fields: Loose) => ({ spec: { containers: [{ ...container, ...fields }] } });
  const volume = (source: Loose) => ({ spec: { volumes: [{ name: "v", ...source }] } });
  const token = (expirationSeconds: number) =>
    volume({
      projected: { sources: [{ serviceAccountToken: { path: "p", expirationSeconds } }] },
    });
  const probe = (fields: Loose) => of({ readinessProbe: { tcpSocket: { port: 1 }, ...fields } });
  const live = (fields: Loose) => of({ livenessProbe: { tcpSocket: { port: 1 }, ...fields } });
  const weight = (weight: number) => {
    const preference = { matchExpressions: [{ key: "a", operator: "Exists" }] };
    const preferredDuringSchedulingIgnoredDuringExecution = [{ weight, preference }];
    return {
      spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } },
    };
  };
  const spread = (fields: Loose) => {
    const whenUnsatisfiable = "DoNotSchedule";
    const one = { maxSkew: 1, topologyKey: "k", whenUnsatisfiable, ...fields };
    return { spec: { topologySpreadConstraints: [one] } };
  };
  const dns = (dnsConfig: Loose) => ({ spec: { dnsConfig } });
  const at = "spec.containers[0]";
  const ids = [[0, MAX_INT32], [-1, MAX_INT32 + 1]] as const;
  const mode = [[0, 0o777], [-1, 0o1000]] as const;
  const ports = [[1, 65_535], [0, 65_536]] as const;
  check(POD, {
    metadata: { name: "p" },
    spec: { serviceAccountName: "s", containers: [container] },
  }, [
    [
      "spec.activeDeadlineSeconds",
      (activeDeadlineSeconds) => ({
        spec: { activeDeadlineSeconds },
      }),
      [1, MAX_INT32],
      [0, MAX_INT32 + 1],
    ],
    ["spec.securityContext.runAsUser", (runAsUser) => ({
      spec: { securityContext: { runAsUser } },
    }), ...ids],
    ["spec.securityContext.runAsGroup", (runAsGroup) => ({
      spec: { securityContext: { runAsGroup } },
    }), ...ids],
    ["spec.securityContext.fsGroup", (fsGroup) => ({
      spec: { securityContext: { fsGroup } },
    }), ...ids],
    [
      "spec.volumes[0].configMap.defaultMode",
      (defaultMode) => volume({ configMap: { name: "a", defaultMode } }),
      ...mode,
    ],
    [
      "spec.volumes[0].secret.items[0].mode",
      (mode) => volume({ secret: { secretName: "a", items: [{ key: "k", path: "p", mode }] } }),
      ...mode,
    ],
    [
      "spec.volumes[0].downwardAPI.defaultMode",
      (defaultMode) => volume({ downwardAPI: { defaultMode } }),
      ...mode,
    ],
    ["spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds", token, [
      600,
      2 ** 32,
    ], [599, 2 ** 32 + 1]],
    [
      "spec.volumes[0].awsElasticBlockStore.partition",
      (partition) => volume({ awsElasticBlockStore: { volumeID: "a", partition } }),
      [0, 255],
      [-1, 256],
    ],
    ["spec.volumes[0].emptyDir.sizeLimit", (sizeLimit) => volume({ emptyDir: { sizeLimit } }), [
      "0",
      "1",
    ], ["-1"]],
    [
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight",
      weight,
      [1, 100],
      [0, 101],
    ],
    ["spec.topologySpreadConstraints[0].maxSkew", (maxSkew) => spread({ maxSkew }), [1], [0, -1]],
    ["spec.topologySpreadConstraints[0].minDomains", (minDomains) => spread({ minDomains }), [
      1,
    ], [0, -1]],
    [
      "spec.dnsConfig.nameservers",
      (count) => dns({ nameservers: repeated(count, (index) => `10.0.0.${index + 1}`) }),
      [0, 3],
      [4],
    ],
    [
      `${at}.ports[0].containerPort`,
      (containerPort) => of({ ports: [{ containerPort }] }),
      ...ports,
    ],
    [`${at}.ports[0].hostPort`, (hostPort) => of({ ports: [{ containerPort: 1, hostPort }] }), [
      0,
      1,
      65_535,
    ], [-1, 65_536]],
    [`${at}.readinessProbe.tcpSocket.port`, (port) => probe({ tcpSocket: { port } }), ...ports],
    [
      `${at}.readinessProbe.initialDelaySeconds`,
      (initialDelaySeconds) => probe({ initialDelaySeconds }),
      [0],
      [-1],
    ],
    [`${at}.readinessProbe.timeoutSeconds`, (timeoutSeconds) => probe({ timeoutSeconds }), [
      0,
      1,
    ], [-1]],
    [`${at}.readinessProbe.successThreshold`, (successThreshold) => probe({ successThreshold }), [
      1,
      2,
    ], [-1]],
    [
      `${at}.livenessProbe.successThreshold`,
      (successThreshold) => live({ successThreshold }),
      [1],
      [2],
    ],
    [
      `${at}.livenessProbe.terminationGracePeriodSeconds`,
      (terminationGracePeriodSeconds) => live({ terminationGracePeriodSeconds }),
      [1],
      [0, -1],
    ],
    [
      `${at}.lifecycle.preStop.sleep`,
      (seconds) => ({
        spec: {
          terminationGracePeriodSeconds: 5,
          containers: [{ ...container, lifecycle: { preStop: { sleep: { seconds } } } }],
        },
      }),
      [0, 5],
      [-1, 6],
    ],
    [
      `${at}.securityContext.appArmorProfile.localhostProfile`,
      (length) =>
        of({
          securityContext: {
            appArmorProfile: { type: "Localhost", localhostProfile: "a".repeat(length) },
          },
        }),
      [1],
      [0],
    ],
    [
      "spec.securityContext.sysctls[0].name",
      (length) => ({
        spec: { securityContext: { sysctls: [{ name: "a".repeat(length), value: "1" }] } },
      }),
      [1, 253],
      [254],
    ],
  ]);
});

Deno.test("ApiServer accepts workloads and events up to the limits of their fields", () => {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const metadata = { name: "a" };
  const spec = { selector: { matchLabels: labels }, template };
  const rolling = (rollingUpdate: Loose) => ({ spec: { strategy: { rollingUpdate } } });
  check(kindOf("apps", "Deployment", "deployments"), { metadata, spec }, [
    ["spec.replicas", (replicas) => ({ spec: { replicas } }), [0, 1], [-1]],
    [
      "spec.minReadySeconds",
      (minReadySeconds) => ({
        spec: { minReadySeconds, progressDeadlineSeconds: 600 },
      }),
      [0, 1, 599],
      [-1],
    ],
    [
      "spec.progressDeadlineSeconds",
      (progressDeadlineSeconds) => ({
        spec: { minReadySeconds: 5, progressDeadlineSeconds },
      }),
      [6],
      [5],
    ],
    [
      "spec.revisionHistoryLimit",
      (revisionHistoryLimit) => ({
        spec: { revisionHistoryLimit },
      }),
      [0, 1],
      [-1],
    ],
    [
      "spec.strategy.rollingUpdate.maxUnavailable",
      (maxUnavailable) => rolling({ maxUnavailable }),
      [0, 1, "0%", "100%"],
      [-1, "101%"],
    ],
    [
      "spec.strategy.rollingUpdate.maxSurge",
      (maxSurge) => rolling({ maxSurge, maxUnavailable: 1 }),
      [0, 1, "101%"],
      [-1],
    ],
  ]);
  const pod = { spec: { containers: [container], restartPolicy: "Never" } };
  check(kindOf("batch", "Job", "jobs"), { metadata, spec: { template: pod } }, [
    ...["parallelism", "completions", "backoffLimit", "activeDeadlineSeconds"].map((
      name,
    ): Limit => [`spec.${name}`, (value) => ({ spec: { [name]: value } }), [0, 1], [-1]]),
    [
      "spec.ttlSecondsAfterFinished",
      (ttlSecondsAfterFinished) => ({
        spec: { ttlSecondsAfterFinished },
      }),
      [0],
      [-1],
    ],
  ]);
});
