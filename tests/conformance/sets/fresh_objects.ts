import type { RecordedSet } from "../recorded_set.ts";
import type { Entry } from "../recording.ts";
import { type Loose, readerOf } from "./caller.ts";

/** The time in which a server creates the last objects, after it reports to be ready. */
const COMPLETE_AFTER_MS = 15_000;

/** The Lease by which an API server shows that it is alive. Ours has none: nothing would renew it. */
const OWN_LEASE = /^apiserver-/;

const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The objects of a fresh cluster, as an API server has them a few seconds after it has started on an empty etcd. */
export const freshObjectSet: RecordedSet = {
  name: "fresh_objects",
  setting: { hasEndpoints: true },
  async play(server) {
    await server.pass(COMPLETE_AFTER_MS);
    const get = readerOf(server);
    const groups: Loose[] = (await get("/apis")).groups;
    const paths = groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`);
    const found: Entry[] = [];
    for (const path of ["/api/v1", ...paths]) {
      for (const { name, verbs } of (await get(path)).resources) {
        if (name.includes("/") || !verbs.includes("list")) continue;
        for (const item of (await get(`${path}/${name}`)).items ?? []) {
          const { metadata: { uid: _, resourceVersion: __, ...metadata }, ...rest } = item;
          if (name === "leases" && OWN_LEASE.test(metadata.name)) continue;
          const id = `${path}/${name} ${metadata.namespace ?? ""}/${metadata.name}`;
          found.push({ id, object: JSON.parse(comparable(JSON.stringify({ metadata, ...rest }))) });
        }
      }
    }
    return found.sort((a, b) => a.id < b.id ? -1 : 1);
  },
};

function comparable(text: string): string {
  return text.replaceAll(TIME, "TIME")
    .replace(/-----BEGIN[^"]+/, "CERTIFICATE")
    .replace(/(?<="since":")[^"]+/, "DATE")
    .replace(/(?<="(?:port|targetPort)":)(?!443\b)\d+/, "0");
}
