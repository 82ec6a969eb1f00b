import type { KubeObject } from "@kubeloop/controller/types";
import type { ResourceExchange } from "./exchange.ts";
import {
  addAmounts,
  inScopes,
  moreThan,
  updateManagedFields,
  type Usage,
  usageIn,
} from "../kinds/mod.ts";
import {
  compareQuantities,
  forbidden,
  getObject,
  getOwn,
  getString,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";

const QUOTAS = "resourcequotas";
const MANAGER = "kube-apiserver";

/**
 * Returns a function that charges a write to the ResourceQuotas of its namespace; undefined if it uses nothing of them.
 *
 * @throws {ApiError} 403, if a quota does not allow the write.
 */
export function chargeQuotas(
  { info, resource, server }: ResourceExchange,
  next: KubeObject,
  old: KubeObject | undefined,
): ((now: string) => void) | undefined {
  const rules = resource.record.quota;
  const store = server.storage.store(QUOTAS);
  const quotas = info.namespace === "" ? [] : store.list(info.namespace);
  if (quotas.length === 0) return undefined;
  const object = next as unknown as JsonObject;
  const before = old as unknown as JsonObject | undefined;
  const { subresource } = info;
  const isCharged = before === undefined
    ? subresource === ""
    : rules.grows?.(object, before, subresource) ?? false;
  if (!isCharged) return undefined;
  const nowMs = server.clock.wallNow();
  const refuse = (why: string) =>
    forbidden(resource.definition, next.metadata.name ?? "Unknown", why);

  const matching = quotas.flatMap((stored) => {
    const quota = stored.parse() as unknown as JsonObject;
    const hard = getObject(quota, "status", "hard");
    const limited = Object.keys(hard).filter(rules.counts).sort();
    if (limited.length === 0 || !inScopes(quota, rules, object)) return [];
    const missing = rules.missing?.(object, limited) ?? "";
    if (missing !== "") throw refuse(`failed quota: ${stored.name}: must specify ${missing}`);
    const used = getObject(quota, "status", "used");
    if (limited.some((name) => getOwn(used, name) === undefined)) {
      const why = `status unknown for quota: ${stored.name}, resources: ${limited.join(",")}`;
      throw refuse(why);
    }
    return [{ stored, quota, hard, used, limited }];
  });
  const charges = matching.flatMap(({ stored, quota, hard, used, limited }) => {
    const of = (one: JsonObject) => usageIn(quota, rules, one, { limited, nowMs });
    const delta = added(of(object), before === undefined ? {} : of(before));
    const names = Object.keys(delta);
    if (names.length === 0) return [];
    const sums = Object.fromEntries(
      names.map((name) => [name, addAmounts(getString(used, name), delta[name]!)]),
    );
    const exceeded = names.filter((name) =>
      compareQuantities(sums[name]!, getString(hard, name)) === 1
    );
    // A resize that has already happened is counted even if it exceeds the quota.
    if (exceeded.length > 0 && subresource !== "status") {
      const show = (amounts: JsonObject) =>
        exceeded.map((name) => `${name}=${getString(amounts, name)}`).join(",");
      throw refuse(
        `exceeded quota: ${stored.name}, requested: ${show(delta)}, used: ${show(used)}, ` +
          `limited: ${show(hard)}`,
      );
    }
    return [{ quota, used: { ...used, ...sums } }];
  });
  if (charges.length === 0) return undefined;
  const own = server.registry.find("", "v1", QUOTAS)!;
  return (now) => {
    for (const { quota, used } of charges) {
      const changed = withPath(quota, ["status", "used"], used) as unknown as KubeObject;
      const managed = updateManagedFields({
        kind: own.kind,
        live: quota as unknown as KubeObject,
        next: changed,
        manager: MANAGER,
        now,
        subresource: "status",
      });
      const written = server.storage.put(store, managed, own.encodeStored);
      server.written(own, written);
    }
  };
}

/** Returns how much more an object uses than before. */
function added(usage: Usage, before: Usage): Usage {
  const result: Record<string, string> = {};
  for (const [name, amount] of Object.entries(usage)) {
    const more = before[name] === undefined ? amount : moreThan(amount, before[name]);
    if (compareQuantities(more, "0") === 1) result[name] = more;
  }
  return result;
}
