/**
 * Writes tests/testdata/protobuf/pairs.ndjson.gz: the objects of the kinds that have a table, in protobuf and JSON, as
 * Kubernetes' own tests record them in its Go modules. Needs go, or the modules in its cache:
 *
 *     deno run --allow-read --allow-write --allow-run=go tests/protobuf/write_pairs.ts
 *
 * @module
 */

import { encodeBase64 } from "../../src/base/mod.ts";
import { loadTable, scanProtobufObject } from "../../src/protobuf/mod.ts";
import { PAIRS } from "./_pairs.ts";

/** The modules, with the folders of their test data. */
const SOURCES = [
  { module: "k8s.io/api@v0.37.2", folder: "testdata/HEAD" },
  { module: "k8s.io/apiextensions-apiserver@v0.37.2", folder: "pkg/apis/testdata/HEAD" },
];

async function moduleFolder(module: string): Promise<string> {
  const command = new Deno.Command("go", { args: ["mod", "download", "-json", module] });
  const { stdout } = await command.output();
  return JSON.parse(new TextDecoder().decode(stdout)).Dir;
}

const lines: string[] = [];
for (const { module, folder } of SOURCES) {
  const path = `${await moduleFolder(module)}/${folder}`;
  const names = [...Deno.readDirSync(path)].map((entry) => entry.name);
  for (const name of names.filter((one) => one.endsWith(".pb")).sort()) {
    const bytes = Deno.readFileSync(`${path}/${name}`);
    const json = JSON.parse(Deno.readTextFileSync(`${path}/${name.replace(/pb$/, "json")}`));
    const { kind, apiVersion = "" } = json;
    const [version, group = ""] = apiVersion.split("/").reverse();
    if (await loadTable({ group, version, kind }) === undefined) continue;
    // Options of requests, which are never the body of an answer.
    if (scanProtobufObject(bytes, 0, bytes.length) === undefined || !("metadata" in json)) continue;
    lines.push(JSON.stringify({ module, protobuf: encodeBase64(bytes), json }));
  }
}
const packed = new Blob([lines.join("\n")]).stream().pipeThrough(new CompressionStream("gzip"));
await Deno.writeFile(PAIRS, packed);
console.log(`${lines.length} pairs`);
