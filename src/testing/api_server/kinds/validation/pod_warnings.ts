import { parseQuantity } from "@kubeloop/controller/base";
import {
  child,
  dnsLabel,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  item,
  type JsonObject,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { legacyIpWarnings } from "./ip.ts";
import { type PlacedContainer, placedContainers } from "./placed_containers.ts";
import { APP_ARMOR, SECCOMP_CONTAINER, SECCOMP_POD } from "./pod_annotations.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const NO_SELECTOR = "a null labelSelector results in matching no pod";
const OLD_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** The warnings for the sources of volumes that Kubernetes gives up or has given up, with their internal names. */
const OLD_VOLUMES: Readonly<Record<string, string>> = {
  cephfs: "cephfs: deprecated in v1.28, non-functional in v1.31+",
  flocker: "flocker: deprecated in v1.22, non-functional in v1.25+",
  gitRepo: "gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
  glusterfs: "glusterfs: deprecated in v1.25, non-functional in v1.26+",
  photonPersistentDisk: "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
  quobyte: "quobyte: deprecated in v1.22, non-functional in v1.25+",
  rbd: "rbd: deprecated in v1.28, non-functional in v1.31+",
  scaleIO: "scaleIO: deprecated in v1.16, non-functional in v1.22+",
  storageos: "storageOS: deprecated in v1.22, non-functional in v1.25+",
};

const OLD_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region":
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone":
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type":
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods":
    "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Returns the warnings for a new Pod. */
export function podWarnings(pod: JsonObject, old: JsonObject | undefined): string[] {
  if (old !== undefined) return [];
  return [...nameWarnings(pod), ...templateWarnings(pod, ""), ...appArmorWarnings(pod, "", true)];
}

/** Returns the warnings for annotations in place of AppArmor profiles. A new Pod has got these profiles already. */
function appArmorWarnings(template: JsonObject, field: string, isPod: boolean): string[] {
  const annotations = getObject(template, "metadata", "annotations");
  const spec = getObject(template, "spec");
  if (isObject(getPath(spec, "securityContext", "appArmorProfile"))) return [];
  return placedContainers(spec, "spec")
    .filter(({ container }) =>
      isPod || !isObject(getPath(container, "securityContext", "appArmorProfile"))
    )
    .map(({ container }) => APP_ARMOR + getString(container, "name"))
    .filter((key) => getOwn(annotations, key) !== undefined)
    .map((key) =>
      `${field}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`
    );
}

/**
 * Returns the warnings for the spec and the metadata of a Pod or a Pod template.
 *
 * @param field The path of the template with a dot at its end; empty for a Pod.
 */
export function templateWarnings(template: JsonObject, field: string): string[] {
  const spec = getObject(template, "spec");
  const at = `${field}spec`;
  const containers = placedContainers(spec, at);
  return [
    ...(field === "" ? [] : appArmorWarnings(template, field, false)),
    ...schedulingWarnings(spec, at),
    ...volumeWarnings(spec, at),
    ...repeated(objects(spec, "hostAliases"), `${at}.hostAliases`, "ip"),
    ...repeated(objects(spec, "imagePullSecrets"), `${at}.imagePullSecrets`, "name"),
    ...objects(spec, "imagePullSecrets").flatMap((secret, index) =>
      getString(secret, "name") === ""
        ? [`${item(`${at}.imagePullSecrets`, index)}.name: invalid empty name ""`]
        : []
    ),
    ...containerWarnings(template, field, containers),
    ...portWarnings(containers),
    ...(Number(getOwn(spec, "terminationGracePeriodSeconds")) < 0
      ? [
        `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
      ]
      : []),
    ...affinityWarnings(spec, `${at}.affinity`),
    ...getArray(spec, "dnsConfig", "nameservers").flatMap((server, index) =>
      legacyIpWarnings(String(server), item(`${at}.dnsConfig.nameservers`, index))
    ),
    ...objects(spec, "hostAliases").flatMap((alias, index) =>
      legacyIpWarnings(getString(alias, "ip"), `${item(`${at}.hostAliases`, index)}.ip`)
    ),
  ];
}

function nameWarnings(pod: JsonObject): string[] {
  const wrong = dnsLabel(getString(pod, "metadata", "name"));
  if (wrong.length === 0) return [];
  return [
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; " +
    `a DNS label is recommended: [${wrong.join(" ")}]`,
  ];
}

function volumeWarnings(spec: JsonObject, at: string): string[] {
  const volumes = objects(spec, "volumes");
  return [
    ...volumes.flatMap((volume, index) =>
      Object.keys(OLD_VOLUMES).filter((name) => getOwn(volume, name) !== undefined)
        .map((name) => child(item(`${at}.volumes`, index), OLD_VOLUMES[name]!))
    ),
    ...volumes.flatMap((volume) =>
      objects(volume, "projected", "sources")
        .filter((source) => !PATH_SOURCES.some((name) => getOwn(source, name) !== undefined))
        .map(() => `volume "${getString(volume, "name")}" (Projected) has no sources provided`)
    ),
  ];
}

/** The sources of projected volumes whose paths the real server looks at; it takes others for none. */
const PATH_SOURCES = ["configMap", "secret", "downwardAPI", "serviceAccountToken"];

function oldLabel(key: string): string | undefined {
  return Object.hasOwn(OLD_LABELS, key) ? OLD_LABELS[key] : undefined;
}

function schedulingWarnings(spec: JsonObject, at: string): string[] {
  const warnings = Object.keys(getObject(spec, "nodeSelector")).flatMap((key) => {
    const text = oldLabel(key);
    return text === undefined ? [] : [`${item(`${at}.nodeSelector`, key)}: ${text}`];
  });
  const affinity = getObject(spec, "affinity", "nodeAffinity");
  const terms = objects(affinity, REQUIRED, "nodeSelectorTerms");
  const node = `${at}.affinity.nodeAffinity`;
  const inTerm = (term: JsonObject, field: string) =>
    objects(term, "matchExpressions").forEach((expression, index) => {
      const key = getString(expression, "key");
      const text = oldLabel(key);
      const where = item(child(field, "matchExpressions"), index);
      if (text !== undefined) warnings.push(`${where}.key: ${key} is ${text}`);
    });
  terms.forEach((term, index) =>
    inTerm(term, item(`${node}.${REQUIRED}.nodeSelectorTerms`, index))
  );
  objects(affinity, PREFERRED).forEach((term, index) =>
    inTerm(getObject(term, "preference"), `${item(`${node}.${PREFERRED}`, index)}.preference`)
  );
  objects(spec, "topologySpreadConstraints").forEach((constraint, index) => {
    const field = item(`${at}.topologySpreadConstraints`, index);
    const key = getString(constraint, "topologyKey");
    const text = oldLabel(key);
    if (text !== undefined) warnings.push(`${field}.topologyKey: ${key} is ${text}`);
    if (!isObject(getOwn(constraint, "labelSelector"))) {
      warnings.push(`${field}.labelSelector: ${NO_SELECTOR}`);
    }
  });
  return warnings;
}

function affinityWarnings(spec: JsonObject, field: string): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const affinity = getObject(spec, "affinity", kind);
    const lacks = (term: JsonObject, where: string) =>
      isObject(getOwn(term, "labelSelector")) ? [] : [`${where}.labelSelector: ${NO_SELECTOR}`];
    const at = `${field}.${kind}`;
    return [
      ...objects(affinity, REQUIRED).flatMap((term, index) =>
        lacks(term, item(`${at}.${REQUIRED}`, index))
      ),
      ...objects(affinity, PREFERRED).flatMap((term, index) =>
        lacks(
          getObject(term, "podAffinityTerm"),
          `${item(`${at}.${PREFERRED}`, index)}.podAffinityTerm`,
        )
      ),
    ];
  });
}

function repeated(list: readonly JsonObject[], field: string, key: string): string[] {
  const seen = new Set<string>();
  return list.flatMap((one, index) => {
    const value = getString(one, key);
    if (seen.has(value)) {
      return [`${item(field, index)}.${key}: duplicate ${key} ${JSON.stringify(value)}`];
    }
    seen.add(value);
    return [];
  });
}

function containerWarnings(
  template: JsonObject,
  field: string,
  containers: readonly PlacedContainer[],
): string[] {
  const annotations = getObject(template, "metadata", "annotations");
  const seccomp = (owner: JsonObject, key: string) =>
    Object.hasOwn(annotations, key) &&
      !isObject(getOwn(getObject(owner, "securityContext"), "seccompProfile"))
      ? [`${item(`${field}metadata.annotations`, key)}: ${OLD_SECCOMP}`]
      : [];
  return [
    ...seccomp(getObject(template, "spec"), SECCOMP_POD),
    ...containers.flatMap(({ container, at }) => [
      ...seccomp(container, SECCOMP_CONTAINER + getString(container, "name")),
      ...["memory", "ephemeral-storage"].flatMap((name) =>
        ["limits", "requests"].flatMap((list) => {
          const amount = getString(container, "resources", list, name);
          const parsed = parseQuantity(amount);
          if (parsed === undefined || parsed.nano % 1_000_000_000n === 0n) return [];
          const where = item(`${at}.resources.${list}`, name);
          const shown = JSON.stringify(amount);
          return [`${where}: fractional byte value ${shown} is invalid, must be an integer`];
        })
      ),
      ...hiddenVariables(container, at),
    ]),
  ];
}

function hiddenVariables(container: JsonObject, at: string): string[] {
  const seen = new Set<string>();
  return objects(container, "env").flatMap((variable, index) => {
    const name = getString(variable, "name");
    const value = getString(variable, "value");
    const reference = `$(${name})`;
    const continues = !isObject(getOwn(variable, "valueFrom")) && value !== reference &&
      value.includes(reference);
    const hides = seen.has(name) && !continues;
    seen.add(name);
    if (!hides) return [];
    const what = `hides previous definition of ${JSON.stringify(name)}`;
    return [`${item(`${at}.env`, index)}: ${what}, which may be dropped when using apply`];
  });
}

function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ container, at }) =>
    objects(container, "ports").map((port, index) => ({ port, at: item(`${at}.ports`, index) }))
  );
  const hostPort = (port: JsonObject) => Number(getOwn(port, "hostPort") ?? 0);
  const key = (port: JsonObject) =>
    `${getOwn(port, "containerPort")}/${getString(port, "protocol")}`;
  const warnings: string[] = [];
  ports.forEach(({ port, at }, index) => {
    const ip = getString(port, "hostIP");
    if (ip !== "" && hostPort(port) === 0) {
      const [name, protocol] = [getString(port, "name"), getString(port, "protocol")];
      const shown = `Name:${name} HostPort:0 ContainerPort:${getOwn(port, "containerPort")} ` +
        `Protocol:${protocol} HostIP:${ip}`;
      warnings.push(`${at}: hostIP set without hostPort: {${shown}}`);
    }
    for (const other of ports.slice(0, index)) {
      if (key(other.port) !== key(port)) continue;
      const otherIp = getString(other.port, "hostIP");
      const same = hostPort(port) === hostPort(other.port);
      const how = same && ip === otherIp
        ? "duplicate"
        : hostPort(port) === 0 || hostPort(other.port) === 0
        ? "overlapping"
        : same && (ip === "") !== (otherIp === "")
        ? "dangerously ambiguous"
        : undefined;
      if (how !== undefined) warnings.push(`${at}: ${how} port definition with ${other.at}`);
    }
  });
  const names = new Map<string, string>();
  for (const { port, at } of ports) {
    const name = getString(port, "name");
    const first = names.get(name);
    if (name === "") continue;
    if (first === undefined) names.set(name, at);
    else {
      const use = `services and probes that select ports by name will use ${first}`;
      warnings.push(`${at}: duplicate port name ${JSON.stringify(name)} with ${first}, ${use}`);
    }
  }
  return warnings;
}
