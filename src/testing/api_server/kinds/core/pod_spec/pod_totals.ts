import { formatQuantity, parseQuantity, type Quantity } from "@kubeloop/controller/internal/base";
import { getObject, getString, type JsonObject } from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

type Amounts = Map<string, Quantity>;

/**
 * Returns how much of each resource the containers of a Pod need at the same time: that of the containers and sidecars,
 * or, if it is more, that of an init container with the sidecars that were started before it.
 */
export function containerTotals(
  spec: JsonObject,
  list: "requests" | "limits",
): Record<string, string> {
  const total: Amounts = new Map();
  for (const container of objects(spec, "containers")) add(total, amountsOf(container, list));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of objects(spec, "initContainers")) {
    let own = amountsOf(container, list);
    if (getString(container, "restartPolicy") === "Always") {
      add(total, own);
      add(sidecars, own);
      own = sidecars;
    } else add(own, sidecars);
    raise(peak, own);
  }
  raise(total, peak);
  return Object.fromEntries([...total].map(([name, amount]) => [name, formatQuantity(amount)]));
}

function amountsOf(container: JsonObject, list: string): Amounts {
  const amounts = getObject(container, "resources", list);
  const result: Amounts = new Map();
  for (const name of Object.keys(amounts)) {
    const amount = parseQuantity(getString(amounts, name));
    if (amount !== undefined) result.set(name, amount);
  }
  return result;
}

function add(to: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const own = to.get(name);
    to.set(name, own === undefined ? amount : { ...own, nano: own.nano + amount.nano });
  }
}

function raise(to: Amounts, least: Amounts): void {
  for (const [name, amount] of least) {
    const own = to.get(name);
    if (own === undefined || own.nano < amount.nano) to.set(name, amount);
  }
}

/** Returns the resources of a Pod without its overhead: its own, or the sum of its containers. */
export function podTotalsWithoutOverhead(
  spec: JsonObject,
  list: "requests" | "limits",
): Record<string, string> {
  const totals: Record<string, string> = { ...containerTotals(spec, list) };
  const own = getObject(spec, "resources", list);
  for (const name of Object.keys(own)) totals[name] = getString(own, name);
  return totals;
}

/** Returns the total resources of a Pod: its own or the sum of its containers, plus its overhead. */
export function podTotals(spec: JsonObject, list: "requests" | "limits"): Record<string, string> {
  const totals = podTotalsWithoutOverhead(spec, list);
  const overhead = getObject(spec, "overhead");
  for (const name of Object.keys(overhead)) {
    const before = parseQuantity(totals[name] ?? "0");
    const more = parseQuantity(getString(overhead, name));
    if (before === undefined || more === undefined) continue;
    // A limit that is missing means that there is none.
    if (list === "limits" && before.nano === 0n) continue;
    const { format } = totals[name] === undefined ? more : before;
    totals[name] = formatQuantity({ nano: before.nano + more.nano, format });
  }
  return totals;
}
