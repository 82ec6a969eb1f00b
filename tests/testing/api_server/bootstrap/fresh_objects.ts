/**
 * The objects of a fresh cluster, as a real API server has them a few seconds after it has started on an empty etcd.
 *
 * @module
 */

import type { Loose } from "../support.ts";

/** Answers a GET of a path. */
export type Get = (path: string) => Promise<Loose>;

const FILE = new URL("./fresh_objects.txt", import.meta.url);

/** The Lease by which an API server shows that it is alive. Ours has none: nothing would renew it. */
const OWN_LEASE = /^apiserver-/;

const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** Lists all objects of a server, by `resource namespace/name`, without what differs from one fresh cluster to the next. */
export async function listObjects(get: Get): Promise<Map<string, string>> {
  const groups: Loose[] = (await get("/apis")).groups;
  const paths = [
    "/api/v1",
    ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`),
  ];
  const found = new Map<string, string>();
  for (const path of paths) {
    for (const { name, verbs } of (await get(path)).resources) {
      if (name.includes("/") || !verbs.includes("list")) continue;
      const { items } = await get(`${path}/${name}`);
      for (const { metadata, ...rest } of items ?? []) {
        if (name === "leases" && OWN_LEASE.test(metadata.name)) continue;
        const { uid: _, resourceVersion: __, ...kept } = metadata;
        const text = JSON.stringify({ metadata: kept, ...rest }).replaceAll(TIME, "TIME")
          .replace(/-----BEGIN[^"]+/, "CERTIFICATE")
          .replace(/(?<="since":")[^"]+/, "DATE")
          .replace(/(?<="(?:port|targetPort)":)(?!443\b)\d+/, "0");
        found.set(`${path}/${name} ${metadata.namespace ?? ""}/${metadata.name}`, text);
      }
    }
  }
  return found;
}

/** Reads the recorded objects. */
export async function readFreshObjects(): Promise<Map<string, string>> {
  const lines = (await Deno.readTextFile(FILE)).trim().split("\n");
  return new Map(lines.map((line) => {
    const at = line.indexOf("\t");
    return [line.slice(0, at), line.slice(at + 1)];
  }));
}

/** Writes the objects of a real server. */
export async function writeFreshObjects(objects: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...objects].sort(([a], [b]) => a < b ? -1 : 1);
  await Deno.writeTextFile(FILE, lines.map(([key, text]) => `${key}\t${text}\n`).join(""));
}
