import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  child,
  getObject,
  getOwn,
  getString,
  item,
  type JsonObject,
  quote,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

/** The warnings for deprecated and removed volume sources. */
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

/** Returns the warnings for the volumes of a Pod or a Pod template. */
export function volumeWarnings(spec: JsonObject, at: string): string[] {
  const volumes = objects(spec, "volumes");
  return [
    ...volumes.flatMap((volume, index) => {
      const field = item(`${at}.volumes`, index);
      const claim = getObject(volume, "ephemeral", "volumeClaimTemplate", "spec");
      return [
        ...oldSourceWarnings(volume, field),
        ...claimSpecWarnings(claim, `${field}.ephemeral.volumeClaimTemplate.spec`),
      ];
    }),
    ...volumes.flatMap(emptyProjectionWarnings),
  ];
}

/** Returns a warning for each source of a projected volume that projects nothing. */
function emptyProjectionWarnings(volume: JsonObject): string[] {
  return objects(volume, "projected", "sources")
    .filter((source) => Object.keys(source).length === 0)
    .map(() => `volume ${quote(getString(volume, "name"))} (Projected) has no sources provided`);
}

/** Returns the warnings for deprecated volume sources, except `silent` ones. */
export function oldSourceWarnings(
  source: JsonObject,
  field: string,
  silent: readonly string[] = [],
): string[] {
  return Object.keys(OLD_VOLUMES)
    .filter((name) => getOwn(source, name) !== undefined && !silent.includes(name))
    .map((name) => child(field, OLD_VOLUMES[name]!));
}

/** Returns the warnings for the spec of a PersistentVolumeClaim. */
export function claimSpecWarnings(spec: JsonObject, field: string): string[] {
  return ["requests", "limits"].flatMap((list) =>
    fractionWarnings(getObject(spec, "resources", list), `${field}.resources.${list}`, "storage")
  );
}

/** Returns a warning if a list of resources has an amount of bytes that is not whole. */
export function fractionWarnings(list: JsonObject, field: string, name: string): string[] {
  const amount = getString(list, name);
  const parsed = parseQuantity(amount);
  if (parsed === undefined || parsed.nano % 1_000_000_000n === 0n) return [];
  const shown = JSON.stringify(amount);
  return [`${item(field, name)}: fractional byte value ${shown} is invalid, must be an integer`];
}
