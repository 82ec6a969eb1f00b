import type { RecordedSet } from "../recorded_set.ts";
import type { Entry } from "../recording.ts";
import { type Loose, readerOf } from "./caller.ts";

/** The groups, versions and resources that a server has by default. */
export const discoverySet: RecordedSet = {
  name: "discovery",
  setting: {},
  async play(server) {
    const get = readerOf(server);
    const groups: Loose[] = (await get("/apis")).groups;
    const entries: Entry[] = groups.map(({ name, versions }, priority) => ({
      id: name,
      priority,
      versions: versions.map(({ version }: Loose) => version),
    }));
    const paths = groups.flatMap(({ versions }) =>
      versions.map(({ groupVersion }: Loose) => `/apis/${groupVersion}`)
    );
    for (const path of ["/api/v1", ...paths]) {
      for (const { name, ...resource } of (await get(path)).resources) {
        entries.push({ id: `${path}/${name}`, ...resource });
      }
    }
    return entries;
  },
};
