/** The objects of the kinds that have a protobuf table, as the tests of Kubernetes have them in its Go modules. */

import { encodeBase64 } from "../../../src/base/mod.ts";
import { loadTable, scanProtobufObject } from "../../../src/protobuf/mod.ts";
import { downloadModule } from "../../e2e/go_module.ts";
import type { ModuleSet } from "../recorded_set.ts";
import type { Entry } from "../recording.ts";

/** An object in both encodings. */
export interface ProtobufEntry extends Entry {
  readonly protobuf: string;
  readonly json: Record<string, unknown> & { readonly kind: string; readonly apiVersion: string };
}

/** The modules, with the folders of their test data. */
const SOURCES = {
  "k8s.io/api": "testdata/HEAD",
  "k8s.io/apiextensions-apiserver": "pkg/apis/testdata/HEAD",
};

export const protobufSet: ModuleSet = { name: "protobuf", read: protobufEntries };

async function protobufEntries(release: string): Promise<readonly ProtobufEntry[]> {
  const found: ProtobufEntry[] = [];
  for (const [module, folder] of Object.entries(SOURCES)) {
    const path = `${await downloadModule(module, release.replace(/^v1/, "v0"))}/${folder}`;
    const names = (await Array.fromAsync(Deno.readDir(path))).map((entry) => entry.name);
    for (const name of names.filter((one) => one.endsWith(".pb")).sort()) {
      const bytes = await Deno.readFile(`${path}/${name}`);
      const json = JSON.parse(await Deno.readTextFile(`${path}/${name.replace(/pb$/, "json")}`));
      const { kind, apiVersion = "" } = json;
      const [version, group = ""] = apiVersion.split("/").reverse();
      if (await loadTable({ group, version, kind }) === undefined) continue;
      // Options of requests, which are never the body of an answer.
      if (scanProtobufObject(bytes, 0, bytes.length) === undefined || !("metadata" in json)) {
        continue;
      }
      found.push({ id: `${apiVersion} ${kind}`, protobuf: encodeBase64(bytes), json });
    }
  }
  return found;
}
