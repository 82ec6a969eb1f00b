import { getObject, getString, type JsonObject, roundUpToWhole } from "../../../../values/mod.ts";
import { classOf } from "./volume_text.ts";
import { largerAmount } from "../../shared/mod.ts";
import { countOf, type QuotaRules, selectsClass } from "../../record/mod.ts";

const COUNT = countOf("persistentvolumeclaims");

const NAMES = ["persistentvolumeclaims", "requests.storage"];

const OF_CLASS = ".storageclass.storage.k8s.io/";

/** How PersistentVolumeClaims count: their number and size, altogether and by StorageClass. */
export const CLAIM_QUOTA: QuotaRules = {
  counts: (name) =>
    name === COUNT || NAMES.some((own) => name === own || name.endsWith(OF_CLASS + own)),
  usage: (claim) => {
    const own: Record<string, string> = { persistentvolumeclaims: "1" };
    const size = sizeOf(claim);
    if (size !== "") own["requests.storage"] = size;
    const storageClass = classOf(claim);
    const classed = storageClass === "" ? [] : Object.entries(own).map(([name, amount]) => [
      storageClass + OF_CLASS + name,
      amount,
    ]);
    return { [COUNT]: "1", ...own, ...Object.fromEntries(classed) };
  },
  // While a volume grows, the status says what the claim holds.
  grows: (_next, _old, subresource) => subresource === "" || subresource === "status",
  inScope: (claim, scope) =>
    getString(scope, "scopeName") === "VolumeAttributesClass" &&
    selectsClass(scope, attributesClasses(claim)),
};

/** Returns the larger of the requested and the actual size of a claim, in whole bytes. */
function sizeOf(claim: JsonObject): string {
  const asked = getString(claim, "spec", "resources", "requests", "storage");
  if (asked === "") return "";
  const held = getString(claim, "status", "allocatedResources", "storage");
  return roundUpToWhole(largerAmount(asked, held));
}

/** Returns the VolumeAttributesClasses that a claim has, had, or is getting. */
function attributesClasses(claim: JsonObject): string[] {
  const status = getObject(claim, "status");
  return [
    getString(claim, "spec", "volumeAttributesClassName"),
    getString(status, "currentVolumeAttributesClassName"),
    getString(status, "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ].filter((name) => name !== "");
}
