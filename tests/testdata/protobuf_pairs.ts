/**
 * Objects of all kinds that the library has types of, in both encodings, as Kubernetes has them in its own tests (`testdata/HEAD`). Run this file to
 * write them again (needs go): `deno run -A tests/testdata/protobuf_pairs.ts`.
 *
 * @module
 */

/** One object in both encodings. */
export interface ProtobufPair {
  /** The name of the files: group, version and kind, as in `apps.v1.Deployment`. */
  readonly name: string;
  /** The object as JSON. */
  readonly json: string;
  /** The object in protobuf, with its envelope. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The Go modules with the objects, and their folders there. */
const SOURCES = [
  ["k8s.io/api@v0.37.1", "testdata/HEAD"],
  ["k8s.io/apiextensions-apiserver@v0.37.1", "pkg/apis/testdata/HEAD"],
] as const;

const FILE = new URL("./protobuf_pairs.ndjson.gz", import.meta.url);

/** Returns all pairs. */
export async function protobufPairs(): Promise<ProtobufPair[]> {
  const body = new Response(await Deno.readFile(FILE)).body!;
  const text = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
  return text.trim().split("\n").map((line) => {
    const [name, hex, object] = JSON.parse(line);
    const bytes = Uint8Array.from(hex.match(/../g), (digits: string) => parseInt(digits, 16));
    return { name, json: JSON.stringify(object), bytes };
  });
}

async function folderOf(module: string): Promise<string> {
  const args = ["mod", "download", "-json", module];
  const { stdout } = await new Deno.Command("go", { args }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).Dir;
}

/** Reports whether the library has types of the kind, so that it can read it. */
async function hasTypes(name: string): Promise<boolean> {
  const [group] = name.split(".");
  const version = name.split(".").at(-2);
  const types = new URL(`../../src/kinds/${group}/${version}.ts`, import.meta.url);
  return await Deno.stat(types).then(() => true, () => false);
}

async function writePairs(): Promise<void> {
  const lines: string[] = [];
  for (const [module, path] of SOURCES) {
    const folder = `${await folderOf(module)}/${path}`;
    const entries = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    const names = entries.filter((name) => name.endsWith(".pb")).sort();
    for (const file of names) {
      const name = file.slice(0, -".pb".length);
      if (!await hasTypes(name)) continue;
      // In hexadecimal digits, equal texts are equal, so that the file is smaller than with base64.
      const hex = (await Deno.readFile(`${folder}/${file}`)).toHex();
      const object = JSON.parse(await Deno.readTextFile(`${folder}/${name}.json`));
      lines.push(JSON.stringify([name, hex, object]));
    }
  }
  const body = new Response(`${lines.join("\n")}\n`).body!;
  const packed = new Response(body.pipeThrough(new CompressionStream("gzip")));
  await Deno.writeFile(FILE, await packed.bytes());
}

if (import.meta.main) await writePairs();
