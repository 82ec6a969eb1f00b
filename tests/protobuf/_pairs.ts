/** Objects in protobuf and JSON, as Kubernetes' own tests record them. `write_pairs.ts` writes them. */

import { loadTable, type Table } from "../../src/protobuf/mod.ts";

/** The file of the pairs. */
export const PAIRS = new URL("../testdata/protobuf/pairs.ndjson.gz", import.meta.url);

/** An object in both encodings. */
export interface Pair {
  /** The object in its envelope. */
  readonly bytes: Uint8Array;
  readonly json: Record<string, unknown> & { readonly kind: string; readonly apiVersion: string };
  readonly table: Table;
}

/** Reads all pairs, and loads their tables. */
export async function readPairs(): Promise<Pair[]> {
  const packed = new Blob([await Deno.readFile(PAIRS)]).stream();
  const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  return await Promise.all(
    text.split("\n").map(async (line) => {
      const { protobuf, json } = JSON.parse(line);
      if (json.kind === "StatefulSet") typeClaims(json);
      const bytes = Uint8Array.from(atob(protobuf), (character) => character.charCodeAt(0));
      const [version = "", group = ""] = json.apiVersion.split("/").reverse();
      return { bytes, json, table: (await loadTable({ group, version, kind: json.kind }))! };
    }),
  );
}

/** Gives the claims of a StatefulSet the type that a server gives them when it converts the object. */
// deno-lint-ignore no-explicit-any
function typeClaims({ spec }: any): void {
  for (const claim of spec.volumeClaimTemplates) {
    claim.kind = "PersistentVolumeClaim";
    claim.apiVersion = "v1";
  }
}
