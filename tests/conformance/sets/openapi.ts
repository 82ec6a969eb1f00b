import { createHash } from "node:crypto";
import type { RecordedSet } from "../recorded_set.ts";
import { readerOf } from "./caller.ts";

/** The number of characters of a digest. */
const DIGEST_LENGTH = 12;

/** Digests of the definitions of `/openapi/v3`, without descriptions. Definitions of custom resources are left out. */
export const openApiSet: RecordedSet = {
  name: "openapi",
  setting: {},
  async play(server) {
    const get = readerOf(server);
    const all = new Map<string, unknown>();
    for (const path of Object.keys((await get("/openapi/v3")).paths)) {
      const { components } = await get(`/openapi/v3/${path}`);
      for (const [name, schema] of Object.entries(components?.schemas ?? {})) all.set(name, schema);
    }
    return [...all].sort(([a], [b]) => a < b ? -1 : 1).map(([id, schema]) => ({
      id,
      digest: createHash("sha256").update(JSON.stringify(bare(schema))).digest("hex")
        .slice(0, DIGEST_LENGTH),
    }));
  },
};

/** Returns a definition without descriptions, with its keywords in order. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => key !== "description" || typeof inner !== "string")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, bare(inner)]));
}
