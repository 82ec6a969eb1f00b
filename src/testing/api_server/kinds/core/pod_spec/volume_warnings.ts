import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  child,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  item,
  type JsonObject,
  quote,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

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
    ...volumes.flatMap(pathWarnings),
  ];
}

/** Returns the warnings for sources of volumes that Kubernetes gives up, but for the silent ones. */
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

/** A path of a file in a volume, and the source of the file as warnings name it. */
interface SourcedPath {
  readonly path: string;
  readonly source: string;
}

/** The sources of projected volumes whose paths the real server looks at; it takes others for none. */
const PATH_SOURCES = ["configMap", "secret", "downwardAPI", "serviceAccountToken"];

/** Returns the warnings for paths of one volume of which one is the other, or lies below it. */
function pathWarnings(volume: JsonObject): string[] {
  const at = `volume ${quote(getString(volume, "name"))}`;
  const overlaps = (what: string, paths: readonly SourcedPath[]) =>
    overlappingPaths([paths]).flat().map((text) => `${at} (${what}): overlapping paths: ${text}`);
  const named = (kind: string, key: string, name: string) => {
    const source = getPath(volume, key);
    if (!isObject(source)) return [];
    return overlaps(`${kind} ${quote(getString(source, name))}`, itemPaths(source, ""));
  };
  const sources = objects(volume, "projected", "sources");
  const projected = overlappingPaths(sources.map(projectedPaths));
  return [
    ...named("ConfigMap", "configMap", "name"),
    ...named("Secret", "secret", "secretName"),
    ...overlaps("DownwardAPI", itemPaths(getObject(volume, "downwardAPI"), "")),
    ...sources.flatMap((source, index) =>
      PATH_SOURCES.every((name) => getOwn(source, name) === undefined)
        ? [`${at} (Projected) has no sources provided`]
        : projected[index]!.map((text) => `${at} (Projected): overlapping paths: ${text}`)
    ),
  ];
}

function itemPaths(source: JsonObject, name: string): SourcedPath[] {
  return objects(source, "items").map((one) => ({ path: getString(one, "path"), source: name }));
}

function projectedPaths(projection: JsonObject): SourcedPath[] {
  const [map, secret] = [getObject(projection, "configMap"), getObject(projection, "secret")];
  const token = getOwn(projection, "serviceAccountToken");
  return [
    ...itemPaths(map, `ConfigMap ${quote(getString(map, "name"))}`),
    ...itemPaths(secret, `Secret ${quote(getString(secret, "name"))}`),
    ...itemPaths(getObject(projection, "downwardAPI"), "DownwardAPI"),
    ...(isObject(token) ? [{ path: getString(token, "path"), source: "ServiceAccountToken" }] : []),
  ];
}

/** More warnings than the headers of an answer have room for: the longest that fit have 4,096 characters together. */
const MAX_OVERLAPS = 200;

/** Returns, by list, each path with each path before it that it overlaps, without repetitions and within bounds. */
function overlappingPaths(lists: readonly (readonly SourcedPath[])[]): string[][] {
  const cut = lists.map((list) =>
    list.map(({ path, source }) => ({ path: withoutSlashes(path), source }))
      .filter(({ path }) => path !== "")
  );
  const involved = prefixesAmong(cut.flat().map(({ path }) => `${path}/`));
  const before = new Map<string, SourcedPath>();
  const found = new Set<string>();
  return cut.map((list) => {
    const texts: string[] = [];
    for (const one of list) {
      if (found.size >= MAX_OVERLAPS) break;
      if (!involved.has(`${one.path}/`)) continue;
      for (const other of before.values()) {
        const text = `${pathText(one)} with ${pathText(other)}`;
        if (!overlap(other.path, one.path) || found.has(text)) continue;
        found.add(text);
        texts.push(text);
      }
      before.set(pathText(one), one);
    }
    return texts;
  });
}

/** Returns the texts that begin with another of them, or with which another one begins. */
function prefixesAmong(texts: readonly string[]): Set<string> {
  const found = new Set<string>();
  // What begins with a text follows it in the order.
  const chain: string[] = [];
  for (const text of texts.toSorted()) {
    while (chain.length > 0 && !text.startsWith(chain.at(-1)!)) chain.pop();
    const prefix = chain.at(-1);
    if (prefix !== undefined) found.add(prefix).add(text);
    chain.push(text);
  }
  return found;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Reports whether one path is the other, or lies below it. */
function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function pathText({ path, source }: SourcedPath): string {
  return source === "" ? quote(path) : `${quote(path)} (${source})`;
}
