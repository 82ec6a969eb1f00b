import { getInteger, getObject, getOwn, getString, type JsonObject } from "../../../values/mod.ts";
import { addAmounts, largerAmount, objects } from "../shared/mod.ts";
import { countOf, type QuotaRules } from "../record/mod.ts";

const COUNT = countOf("resourceclaims.resource.k8s.io");

const OF_CLASS = ".deviceclass.resource.k8s.io/devices";

/** The largest number of devices that a claim can get. */
const MOST_DEVICES = 32;

/** How ResourceClaims count: their number, and the devices of each class that they can get. */
export const DEVICE_CLAIM_QUOTA: QuotaRules = {
  counts: (name) => name === COUNT || name.endsWith(OF_CLASS),
  usage: (claim) => {
    const usage: Record<string, string> = { [COUNT]: "1" };
    for (const request of objects(claim, "spec", "devices", "requests")) {
      for (const [name, amount] of Object.entries(devicesOf(request))) {
        usage[name] = addAmounts(usage[name] ?? "0", amount);
      }
    }
    return usage;
  },
  grows: (_next, _old, subresource) => subresource === "",
};

/** Returns the maximum number of devices of each class for one request. */
function devicesOf(request: JsonObject): Record<string, string> {
  const exactly = getOwn(request, "exactly");
  const choices = exactly === undefined
    ? objects(request, "firstAvailable")
    : [getObject(request, "exactly")];
  const most: Record<string, string> = {};
  for (const choice of choices) {
    const name = getString(choice, "deviceClassName") + OF_CLASS;
    most[name] = largerAmount(most[name] ?? "0", String(numberOf(choice)));
  }
  return most;
}

function numberOf(choice: JsonObject): number | bigint {
  const mode = getString(choice, "allocationMode");
  if (mode === "All") return MOST_DEVICES;
  return mode === "ExactCount" ? getInteger(choice, "count") : 0;
}
