/**
 * Runs `@kubernetes/client-node`, installed from npm for this test, against our server.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { OurServer } from "./our_server.ts";

const PACKAGE = "@kubernetes/client-node";

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  assert(success, `${command} ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** Returns the command of Node if it is new enough for the package, otherwise of Deno with the npm folder. */
async function runtime(folder: string): Promise<readonly [string, readonly string[]]> {
  const version = await run("node", ["--version"], folder);
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return ["node", []];
  console.log(`@kubernetes/client-node wants Node 22.19 and this is ${version.trim()}: in Deno`);
  return [Deno.execPath(), ["run", "-A", "--node-modules-dir=manual"]];
}

Deno.test("@kubernetes/client-node lists, watches, informs, patches and applies", async () => {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-client-node-" });
  try {
    await Deno.writeTextFile(`${folder}/package.json`, `{"private":true,"type":"module"}`);
    await run("npm", ["install", "--no-audit", "--no-fund", `${PACKAGE}@2`], folder);
    await Deno.copyFile(
      fileURLToPath(new URL("node/client.mjs", import.meta.url)),
      `${folder}/client.mjs`,
    );
    await using ours = await OurServer.start();
    const [command, flags] = await runtime(folder);
    const seen = JSON.parse(
      await run(command, [...flags, "client.mjs", ours.url, PACKAGE], folder),
    );
    assertEquals(seen, {
      duplicate: 409,
      pages: [["a", "b"], ["c"]],
      created: true,
      json: { n: "1" },
      merge: { n: "1", m: "2" },
      strategic: { n: "1", s: "3" },
      applied: { k: "1" },
      conflict: 409,
      shared: ["one", "two"],
      missing: 404,
      events: [
        "MODIFIED a",
        "MODIFIED a",
        "MODIFIED a",
        "ADDED applied",
        "MODIFIED applied",
        "MODIFIED b",
        "DELETED c",
      ],
      informed: [
        "add a",
        "add b",
        "add c",
        "update a",
        "update a",
        "update a",
        "update b",
        "delete c",
      ],
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
