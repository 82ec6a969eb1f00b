import { parseQuantity, type Quantity } from "@kubeloop/controller/internal/base";
import {
  forbidden,
  getObject,
  getOwn,
  getString,
  type JsonObject,
} from "../../../../values/mod.ts";
import type { ClusterView } from "../../record/mod.ts";
import { objects } from "../../shared/mod.ts";
import { podTotalsWithoutOverhead } from "../pod_spec/mod.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";

/** The largest value that the real server compares in thousandths. */
const MAX_IN_MILLI = (2n ** 63n - 1n) / 1000n;

const UNIT = 1_000_000_000n;

interface Amounts {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

/** Sets the default requests and limits of LimitRanges in the containers of a new Pod. */
export function admitLimits(pod: JsonObject, cluster: ClusterView): JsonObject {
  let result = pod;
  for (const range of limitRanges(cluster)) result = withDefaults(result, range);
  return result;
}

/**
 * Refuses a Pod whose resources the LimitRanges of its namespace do not allow.
 *
 * @throws {ApiError} 403
 */
export function confirmPodLimits(pod: JsonObject, cluster: ClusterView): void {
  for (const range of limitRanges(cluster)) {
    const problems = objects(range, "spec", "limits").flatMap((limit) => {
      const type = getString(limit, "type");
      if (type === "Container") {
        const spec = getObject(pod, "spec");
        return [...objects(spec, "containers"), ...objects(spec, "initContainers")]
          .flatMap((container) => problemsOf(limit, amountsOf(container)));
      }
      if (type !== "Pod") return [];
      const spec = getObject(pod, "spec");
      return problemsOf(limit, {
        requests: podTotalsWithoutOverhead(spec, "requests"),
        limits: podTotalsWithoutOverhead(spec, "limits"),
      });
    });
    refuse("pods", pod, problems);
  }
}

/**
 * Refuses a PersistentVolumeClaim whose size the LimitRanges of its namespace do not allow.
 *
 * @throws {ApiError} 403
 */
export function confirmClaimLimits(claim: JsonObject, cluster: ClusterView): void {
  const requests = getObject(claim, "spec", "resources", "requests");
  for (const range of limitRanges(cluster)) {
    const problems = objects(range, "spec", "limits").flatMap((limit) => {
      if (getString(limit, "type") !== "PersistentVolumeClaim") return [];
      const max = getObject(limit, "max");
      return [
        ...minimums(limit, { requests, limits: {} }),
        ...names(max).flatMap((name) => {
          const what = `maximum ${name} usage per PersistentVolumeClaim is ${getString(max, name)}`;
          const asked = getString(requests, name);
          if (asked === "") return [`${what}.  No request is specified`];
          return isMore(asked, getString(max, name)) ? [`${what}, but request is ${asked}`] : [];
        }),
      ];
    });
    refuse("persistentvolumeclaims", claim, problems);
  }
}

function limitRanges(cluster: ClusterView): JsonObject[] {
  return cluster.list("limitranges", cluster.namespace);
}

function withDefaults(pod: JsonObject, range: JsonObject): JsonObject {
  const requests: JsonObject = {};
  const limits: JsonObject = {};
  for (const limit of objects(range, "spec", "limits")) {
    if (getString(limit, "type") !== "Container") continue;
    Object.assign(requests, getObject(limit, "defaultRequest"));
    Object.assign(limits, getObject(limit, "default"));
  }
  const set: string[] = [];
  const fill = (container: JsonObject, what: string): JsonObject => {
    const own = amountsOf(container);
    const name = getString(container, "name");
    const resources: JsonObject = { ...getObject(container, "resources") };
    for (const [list, given] of [["requests", requests], ["limits", limits]] as const) {
      const missing = names(given).filter((one) => getOwn(own[list], one) === undefined);
      if (missing.length === 0) continue;
      const added = Object.fromEntries(missing.map((one) => [one, getOwn(given, one)!]));
      resources[list] = { ...own[list], ...added };
      set.push(`${missing.join(", ")} ${list.slice(0, -1)} for ${what} ${name}`);
    }
    return { ...container, resources };
  };
  const spec: JsonObject = { ...getObject(pod, "spec") };
  const containers = objects(spec, "containers").map((one) => fill(one, "container"));
  const first = objects(spec, "initContainers").map((one) => fill(one, "init container"));
  if (set.length === 0) return pod;
  spec["containers"] = containers;
  if (first.length > 0) spec["initContainers"] = first;
  const metadata = getObject(pod, "metadata");
  const annotations = {
    ...getObject(metadata, "annotations"),
    [ANNOTATION]: `LimitRanger plugin set: ${set.join("; ")}`,
  };
  return { ...pod, metadata: { ...metadata, annotations }, spec };
}

function amountsOf(container: JsonObject): Amounts {
  return {
    requests: getObject(container, "resources", "requests"),
    limits: getObject(container, "resources", "limits"),
  };
}

function problemsOf(limit: JsonObject, amounts: Amounts): string[] {
  return [...minimums(limit, amounts), ...maximums(limit, amounts), ...ratios(limit, amounts)];
}

function minimums(limit: JsonObject, { requests, limits }: Amounts): string[] {
  const min = getObject(limit, "min");
  return names(min).flatMap((name) => {
    const least = getString(min, name);
    const what = `minimum ${name} usage per ${getString(limit, "type")} is ${least}`;
    const request = getString(requests, name);
    const most = getString(limits, name);
    if (request === "") return [`${what}.  No request is specified`];
    if (isMore(least, request)) return [`${what}, but request is ${request}`];
    if (most !== "" && isMore(least, most)) return [`${what}, but limit is ${most}`];
    return [];
  });
}

function maximums(limit: JsonObject, { requests, limits }: Amounts): string[] {
  const max = getObject(limit, "max");
  return names(max).flatMap((name) => {
    const most = getString(max, name);
    const what = `maximum ${name} usage per ${getString(limit, "type")} is ${most}`;
    const request = getString(requests, name);
    const own = getString(limits, name);
    if (own === "") return [`${what}.  No limit is specified`];
    if (isMore(own, most)) return [`${what}, but limit is ${own}`];
    if (request !== "" && isMore(request, most)) return [`${what}, but request is ${request}`];
    return [];
  });
}

function ratios(limit: JsonObject, { requests, limits }: Amounts): string[] {
  const ratio = getObject(limit, "maxLimitRequestRatio");
  return names(ratio).flatMap((name) => {
    const most = getString(ratio, name);
    const what = `${name} max limit to request ratio per ${getString(limit, "type")} is ${most}`;
    const request = valueOf(getString(requests, name));
    const own = valueOf(getString(limits, name));
    if (request === 0) return [`${what}, but no request is specified or request is 0`];
    if (own === 0) return [`${what}, but no limit is specified or limit is 0`];
    const found = own / request;
    return found > valueOf(most) ? [`${what}, but provided ratio is ${found.toFixed(6)}`] : [];
  });
}

function valueOf(text: string): number {
  return Number(parseQuantity(text)?.nano ?? 0n) / Number(UNIT);
}

/** Reports whether a quantity is larger than another one, with the precision of the real server. */
function isMore(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined || right === undefined) return false;
  const precise = [left, right].every(({ nano }) => nano / UNIT <= MAX_IN_MILLI);
  const unit = precise ? UNIT / 1000n : UNIT;
  return roundUp(left, unit) > roundUp(right, unit);
}

function roundUp({ nano }: Quantity, unit: bigint): bigint {
  return nano > 0n ? (nano + unit - 1n) / unit : nano / unit;
}

function names(amounts: JsonObject): string[] {
  return Object.keys(amounts).sort();
}

function refuse(plural: string, object: JsonObject, problems: readonly string[]): void {
  const unique = [...new Set(problems)];
  if (unique.length === 0) return;
  const why = unique.length === 1 ? unique[0]! : `[${unique.join(", ")}]`;
  throw forbidden({ group: "", plural }, getString(object, "metadata", "name"), why);
}
