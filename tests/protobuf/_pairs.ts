/** Objects in protobuf and JSON, as Kubernetes' own tests record them. */

import type { ProtobufEntry } from "../conformance/sets/protobuf.ts";
import { readRecording } from "../conformance/recording.ts";
import { DEFAULT_MINOR } from "../e2e/minors.ts";
import { loadTable, type Table } from "../../src/protobuf/mod.ts";

/** An object in both encodings. */
export interface Pair {
  /** The object in its envelope. */
  readonly bytes: Uint8Array;
  readonly json: Record<string, unknown> & { readonly kind: string; readonly apiVersion: string };
  readonly table: Table;
}

/** Reads all pairs, and loads their tables. */
export async function readPairs(): Promise<Pair[]> {
  return await Promise.all(
    (await readRecording("protobuf", DEFAULT_MINOR)).map(async (entry) => {
      const { protobuf, json } = entry as unknown as ProtobufEntry;
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
