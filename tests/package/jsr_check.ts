/** Checks how a release takes modules from JSR, with a registry on loopback in the place of JSR. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as esbuild from "npm:esbuild@0.28.2";
import { JsrModules } from "./_jsr_plugin.ts";
import { bundledPackages, type ModuleFiles, thirdPartyLicenses } from "./_third_party.ts";
import { capture, ROOT } from "./_tools.ts";

const HEAD = "// Copyright 2018-2026 the Deno authors. MIT license.\n";
const PORTED =
  `// Copyright 2011-2015 by Vitaly Puzrin. All rights reserved. MIT license.\n${HEAD}`;

/** Packages: their versions, and the texts of their modules. */
const PACKAGES: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
> = {
  "@std/yaml": {
    "1.0.8": { "parse.ts": `${HEAD}throw new Error("old");` },
    "1.0.9": {
      "parse.ts": `${PORTED}import { state } from "./_state.ts";\n` +
        `import { kind } from "jsr:@std/kinds@^2/kind";\n` +
        `export const parse = (text: string): string => state + kind + text;\n`,
      "_state.ts": `${HEAD}export const state: string = "state ";\n`,
      "_unused.ts": `${HEAD}export const unused = 1;\n`,
    },
    "2.0.0": { "parse.ts": `${HEAD}throw new Error("too new");` },
  },
  "@std/kinds": { "2.1.0": { "kind.ts": `${HEAD}export const kind = "kind ";\n` } },
  "@bad/license": { "1.0.0": { "mod.ts": "// Copyright 2020 somebody.\nexport const bad = 1;\n" } },
};
const IMPORTS = {
  "@std/yaml": "jsr:@std/yaml@^1.0.0",
  "@bad/license": "jsr:@bad/license@1",
  "fast-check": "npm:fast-check@4",
};

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Answers like JSR. */
async function answer(request: Request): Promise<Response> {
  const [, name = "", rest = ""] = /^\/(@\w+\/\w+)\/(.*)$/.exec(new URL(request.url).pathname) ??
    [];
  const versions = PACKAGES[name] ?? {};
  if (rest === "meta.json") {
    return Response.json({
      versions: Object.fromEntries(Object.keys(versions).map((version) => [version, {}])),
    });
  }
  const described = versions[/^(.*)_meta\.json$/.exec(rest)?.[1] ?? ""];
  if (described !== undefined) {
    const files = await Promise.all(
      Object.entries(described).map(async ([path, text]) => [
        `/${path}`,
        { size: text.length, checksum: `sha256-${await digest(text)}` },
      ]),
    );
    const exported = Object.keys(described)
      .map((path) => [path === "mod.ts" ? "." : `./${path.slice(0, -3)}`, `./${path}`]);
    return Response.json({
      manifest: Object.fromEntries(files),
      exports: Object.fromEntries(exported),
    });
  }
  const [, version = "", path = ""] = /^([^/]+)\/(.*)$/.exec(rest) ?? [];
  const text = versions[version]?.[path];
  if (text === undefined) return new Response(undefined, { status: 404 });
  return new Response(text, { headers: { "content-type": "text/typescript" } });
}

/** Registers a test with modules of the registry. */
function moduleTest(name: string, body: (modules: JsrModules) => Promise<void>): void {
  // esbuild.stop() does not wait for its process.
  const sanitizers = { sanitizeOps: false, sanitizeResources: false };
  Deno.test(name, sanitizers, () => withModules(body));
}

async function withModules(body: (modules: JsrModules) => Promise<void>): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const cache = await Deno.makeTempDir({ prefix: "kubeloop-jsr-" });
  try {
    const JSR_URL = `http://127.0.0.1:${server.addr.port}/`;
    await body(new JsrModules(IMPORTS, { env: { JSR_URL, DENO_DIR: cache } }));
  } finally {
    await Deno.remove(cache, { recursive: true });
    await esbuild.stop();
  }
}

const filesOf = (modules: JsrModules): ModuleFiles => ({
  read: (input) => modules.read(input),
  folderOf: () => undefined,
});

function bundle(contents: string, modules: JsrModules) {
  return esbuild.build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    metafile: true,
    write: false,
    logLevel: "silent",
    plugins: [modules.plugin],
  });
}

const PROGRAM = 'import { parse } from "@std/yaml/parse";\nconsole.log(parse("text"));\n';

moduleTest(
  "a release bundles the modules of JSR, and names them with their versions",
  async (modules) => {
    const { outputFiles, metafile } = await bundle(PROGRAM, modules);
    const [{ text = "" } = {}] = outputFiles;
    const { stdout } = await capture([Deno.execPath(), "eval", text]);
    assertEquals(stdout, "state kind text\n");
    assertStringIncludes(text, "// jsr:@std/yaml@1.0.9/parse.ts\n");
    const packages = await bundledPackages(metafile, filesOf(modules));
    assertEquals(
      packages.map(({ name, version, license, modules }) => [name, version, license, modules]),
      [
        ["@std/kinds", "2.1.0", "MIT", ["kind.ts"]],
        ["@std/yaml", "1.0.9", "MIT", ["_state.ts", "parse.ts"]],
      ],
    );
    const licenses = thirdPartyLicenses("kubeloop", packages, "");
    assertStringIncludes(licenses, "jsr:@std/yaml@1.0.9\n");
    assertStringIncludes(licenses, "Vitaly Puzrin");
    assertStringIncludes(licenses, "Permission is hereby granted");
  },
);

moduleTest(
  "a release bundles no module whose license it does not know, and none that JSR does not have",
  async (modules) => {
    const { metafile } = await bundle('export * from "@bad/license";', modules);
    await assertRejects(
      () => bundledPackages(metafile, filesOf(modules)),
      Error,
      "jsr:@bad/license: must have",
    );
    await assertRejects(() => bundle('import "@std/yaml/gone";', modules), Error, "gone");
    await assertRejects(() => bundle('import "fast-check";', modules), Error, "fast-check");
  },
);

Deno.test("a release is not built with links in deno.json, and unknown arguments are errors", async () => {
  const build = async (...args: string[]) =>
    await capture([Deno.execPath(), "run", "-A", `${ROOT}tests/package/build.ts`, ...args]);
  const { links } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  if (links !== undefined) {
    const { success, stderr } = await build("--release");
    assertEquals(success, false);
    assertStringIncludes(stderr, 'deno.json has "links", which stand in for JSR: delete them');
  }
  const { success, stderr } = await build("--relase");
  assertEquals(success, false);
  assertStringIncludes(stderr, 'Unknown argument in "--relase"');
});
