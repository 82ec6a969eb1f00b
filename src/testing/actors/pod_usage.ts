import { formatQuantity, parseQuantity, type Quantity } from "@kubeloop/controller/internal/base";
import type { Cached, KubeObject } from "@kubeloop/controller/types";

type Amounts = Readonly<Record<string, string>>;

type ListName = "requests" | "limits";

interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

interface Container {
  readonly name: string;
  readonly restartPolicy?: string;
  readonly resources?: Resources;
}

interface ContainerStatus {
  readonly name: string;
  readonly resources?: Resources;
  readonly allocatedResources?: Amounts;
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly podAffinityTerm?: AffinityTerm;
  }[];
}

/** The fields of a Pod that quotas depend on. */
export interface CountedPod extends Cached<KubeObject> {
  readonly spec?: {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly resources?: Resources;
    readonly overhead?: Amounts;
    readonly activeDeadlineSeconds?: number;
    readonly priorityClassName?: string;
    readonly affinity?: { readonly podAffinity?: Affinity; readonly podAntiAffinity?: Affinity };
  };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
}

type Totals = Map<string, Quantity>;

/** Returns the amount of each resource that the containers of a Pod request, or are limited to, at the same time. */
export function podTotals(pod: CountedPod, list: ListName): Record<string, string> {
  const { containers = [], initContainers = [], overhead = {}, resources } = pod.spec ?? {};
  const total: Totals = new Map();
  const sidecars: Totals = new Map();
  const peak: Totals = new Map();
  for (const container of containers) add(total, heldAmounts(pod, container, list));
  for (const container of initContainers) {
    if (container.restartPolicy === "Always") {
      const amounts = heldAmounts(pod, container, list);
      add(total, amounts);
      add(sidecars, amounts);
      raise(peak, sidecars);
    } else {
      const own = quantities(container.resources?.[list]);
      add(own, sidecars);
      raise(peak, own);
    }
  }
  raise(total, peak);
  // The amounts of the Pod itself replace the amounts of its containers.
  for (const [name, amount] of quantities(resources?.[list])) total.set(name, amount);
  for (const [name, amount] of quantities(overhead)) {
    // Without a limit, an overhead does not make one.
    if (list === "limits" && (total.get(name)?.nano ?? 0n) === 0n) continue;
    add(total, new Map([[name, amount]]));
  }
  return Object.fromEntries([...total].map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** Reports whether a Pod has ended, or should have ended because its node is lost. */
export function hasEnded({ metadata, status }: CountedPod, nowMs: number): boolean {
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return true;
  const { deletionGracePeriodSeconds: graceSeconds, deletionTimestamp } = metadata;
  if (graceSeconds === undefined || deletionTimestamp === undefined) return false;
  // The time of deletion includes the grace period. kube-controller-manager adds it again.
  return nowMs > Date.parse(deletionTimestamp) + 1000 * graceSeconds;
}

/** Reports whether no container of a Pod, nor the Pod itself, has a request or a limit of CPU or memory. */
export function isBestEffort({ spec = {} }: CountedPod): boolean {
  const { containers = [], initContainers = [], resources } = spec;
  const all = resources === undefined
    ? [...containers, ...initContainers].map((container) => container.resources)
    : [resources];
  return !all.some((one) =>
    [one?.requests, one?.limits].some((amounts) =>
      ["cpu", "memory"].some((name) => (parseQuantity(amounts?.[name] ?? "0")?.nano ?? 0n) > 0n)
    )
  );
}

/** Reports whether an affinity term of a Pod selects Pods of other namespaces. */
export function hasCrossNamespaceAffinity({ spec }: CountedPod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) =>
    [
      ...affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        .map(({ podAffinityTerm }) => podAffinityTerm ?? {}),
    ].some(({ namespaces = [], namespaceSelector }) =>
      namespaces.length > 0 || namespaceSelector !== undefined
    )
  );
}

/** Returns the amounts of a container. During a resize, they are the largest of the wanted and the actual amounts. */
function heldAmounts({ status = {} }: CountedPod, container: Container, list: ListName): Totals {
  const { conditions = [], containerStatuses = [], initContainerStatuses = [] } = status;
  const actual = [...containerStatuses, ...initContainerStatuses]
    .find(({ name, resources }) => name === container.name && resources !== undefined);
  const wanted = quantities(container.resources?.[list]);
  if (actual === undefined) return wanted;
  const isInfeasible =
    conditions.find(({ type }) => type === "PodResizePending")?.reason === "Infeasible";
  const held: Totals = isInfeasible ? new Map() : wanted;
  raise(held, quantities(actual.resources?.[list]));
  if (list === "requests") raise(held, quantities(actual.allocatedResources));
  return held;
}

function quantities(amounts: Amounts = {}): Totals {
  return new Map(
    Object.entries(amounts).flatMap(([name, text]) => {
      const amount = parseQuantity(text);
      return amount === undefined ? [] : [[name, amount]];
    }),
  );
}

function add(to: Totals, more: Totals): void {
  for (const [name, amount] of more) {
    const own = to.get(name);
    to.set(name, own === undefined ? amount : { ...own, nano: own.nano + amount.nano });
  }
}

function raise(to: Totals, least: Totals): void {
  for (const [name, amount] of least) {
    const own = to.get(name);
    if (own === undefined || own.nano < amount.nano) to.set(name, amount);
  }
}
