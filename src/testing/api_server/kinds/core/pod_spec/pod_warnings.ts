import {
  dnsLabel,
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  item,
  type JsonObject,
} from "../../../../values/mod.ts";
import {
  legacyIpWarnings,
  nodeTermWarnings,
  objects,
  oldKeyWarnings,
  oldNodeLabel,
} from "../../shared/mod.ts";
import { type PlacedContainer, placedContainers } from "./placed_containers.ts";
import { appArmorWarnings } from "./app_armor.ts";
import { SECCOMP_CONTAINER, SECCOMP_POD } from "./pod_annotations.ts";
import { fractionWarnings, volumeWarnings } from "./volume_warnings.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
/** The resources that are counted in bytes. */
const BYTES = ["memory", "ephemeral-storage"];
const NO_SELECTOR = "a null labelSelector results in matching no pod";
const OLD_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** The annotations that have become fields. */
const OLD_ANNOTATIONS: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod":
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Returns the warnings for a new Pod. */
export function podWarnings(pod: JsonObject, old: JsonObject | undefined): string[] {
  if (old !== undefined) return [];
  return [...nameWarnings(pod), ...templateWarnings(pod, "")];
}

/** Returns the warnings for the status of a Pod. */
export function podStatusWarnings(pod: JsonObject): string[] {
  return ["podIPs", "hostIPs"].flatMap((list) =>
    objects(pod, "status", list).flatMap((one, index) =>
      legacyIpWarnings(getString(one, "ip"), `${item(`status.${list}`, index)}.ip`)
    )
  );
}

/**
 * Returns the warnings for the spec and the metadata of a Pod or a Pod template.
 *
 * @param field The path of the template with a dot at its end; empty for a Pod.
 */
export function templateWarnings(template: JsonObject, field: string): string[] {
  const spec = getObject(template, "spec");
  const annotations = getObject(template, "metadata", "annotations");
  const at = `${field}spec`;
  const containers = placedContainers(spec, at);
  return [
    ...(field === "" ? [] : appArmorWarnings(template, field)),
    ...schedulingWarnings(spec, at),
    ...Object.keys(OLD_ANNOTATIONS).filter((key) => Object.hasOwn(annotations, key))
      .map((key) => `${item(`${field}metadata.annotations`, key)}: ${OLD_ANNOTATIONS[key]}`),
    ...volumeWarnings(spec, at),
    ...repeated(objects(spec, "hostAliases"), `${at}.hostAliases`, "ip"),
    ...repeated(objects(spec, "imagePullSecrets"), `${at}.imagePullSecrets`, "name"),
    ...objects(spec, "imagePullSecrets").flatMap((secret, index) =>
      getString(secret, "name") === ""
        ? [`${item(`${at}.imagePullSecrets`, index)}.name: invalid empty name ""`]
        : []
    ),
    ...BYTES.flatMap((name) =>
      fractionWarnings(getObject(spec, "overhead"), `${at}.overhead`, name)
    ),
    ...containerWarnings(template, field, containers),
    ...portWarnings(containers),
    // In a Pod, a negative grace period has been replaced by 1 already.
    ...(field !== "" && Number(getOwn(spec, "terminationGracePeriodSeconds")) < 0
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

function schedulingWarnings(spec: JsonObject, at: string): string[] {
  const affinity = getObject(spec, "affinity", "nodeAffinity");
  const node = `${at}.affinity.nodeAffinity`;
  return [
    ...oldKeyWarnings(getObject(spec, "nodeSelector"), (key) => item(`${at}.nodeSelector`, key)),
    ...objects(affinity, REQUIRED, "nodeSelectorTerms").flatMap((term, index) =>
      nodeTermWarnings(term, item(`${node}.${REQUIRED}.nodeSelectorTerms`, index))
    ),
    ...objects(affinity, PREFERRED).flatMap((term, index) => {
      const field = `${item(`${node}.${PREFERRED}`, index)}.preference`;
      return nodeTermWarnings(getObject(term, "preference"), field, true);
    }),
    ...objects(spec, "topologySpreadConstraints").flatMap((constraint, index) => {
      const field = item(`${at}.topologySpreadConstraints`, index);
      const key = getString(constraint, "topologyKey");
      const text = oldNodeLabel(key);
      return [
        ...(text === undefined ? [] : [`${field}.topologyKey: ${key} is ${text}`]),
        ...(isObject(getOwn(constraint, "labelSelector"))
          ? []
          : [`${field}.labelSelector: ${NO_SELECTOR}`]),
      ];
    }),
  ];
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
      ...BYTES.flatMap((name) =>
        ["limits", "requests"].flatMap((list) =>
          fractionWarnings(
            getObject(container, "resources", list),
            `${at}.resources.${list}`,
            name,
          )
        )
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
      const [name, number] = [getString(port, "name"), getOwn(port, "containerPort")];
      const shown = `Name:${name} HostPort:0 ContainerPort:${number} Protocol:${
        getString(port, "protocol")
      } HostIP:${ip}`;
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
