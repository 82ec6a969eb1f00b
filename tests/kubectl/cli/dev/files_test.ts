import { assert, assertEquals, assertRejects } from "@std/assert";
import { realClock } from "@kubeloop/controller/base";
import { type FileChange, FileWatch } from "../../../../src/kubectl/cli/dev/file_watch.ts";
import { importedFiles, importedPackages } from "../../../../src/kubectl/cli/dev/imported_files.ts";

/** Calls `body` with a folder that has these files. */
async function withFiles(
  files: Readonly<Record<string, string>>,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "kubeloop-dev-test-" }));
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("importedFiles() finds what a program imports by a path, in any way and around circles", async () => {
  const files = {
    "src/main.ts": `import { a } from "./a.ts";
import type { B } from '../lib/b.ts';
import "./effect.ts";
import data from "./data.json" with { type: "json" };
import { Client } from "@kubeloop/controller";
const lazy = await import("./lazy.ts");
const text = new URL("./page.html", import.meta.url);
import {
  many,
} from
  "./many.ts";
import "./missing.ts";
`,
    "src/a.ts": 'export { c } from "./c.ts";',
    "src/c.ts": 'import "./main.ts";',
    "src/effect.ts": "",
    "src/data.json": '{ "import": "./other.ts" }',
    "src/lazy.ts": "",
    "src/many.ts": "",
    "src/page.html": "",
    "src/other.ts": "",
    "lib/b.ts": "",
  };
  await withFiles(files, async (folder) => {
    const found = await importedFiles(`${folder}/src/main.ts`);
    const expected = Object.keys(files).filter((path) => path !== "src/other.ts");
    assertEquals(
      [...found.keys()].map((path) => path.slice(folder.length + 1)).sort(),
      expected.sort(),
    );
    assertEquals(found.get(`${folder}/src/c.ts`), files["src/c.ts"]);
  });
  await assertRejects(() => importedFiles("/nowhere/main.ts"));
});

/** Watches the files of a folder, and returns the first change after `act`. */
async function changeOf(folder: string, act: () => Promise<void>): Promise<FileChange> {
  const texts = await importedFiles(`${folder}/main.ts`);
  const changed = Promise.withResolvers<FileChange>();
  const watch = new FileWatch(texts, realClock, changed.resolve);
  try {
    await act();
    return await changed.promise;
  } finally {
    watch.close();
  }
}

const PROGRAM = { "main.ts": 'import "./a.ts";', "a.ts": "// a", "unrelated.ts": "// b" };

Deno.test("importedPackages() finds the packages of the library, and no others", () => {
  const texts = [
    'import { Client } from "@kubeloop/controller";\nimport { z } from "zod";\nimport "./kubeloop.ts";',
    "import { Pods } from 'kubeloop/types/core/v1';\nimport { Client } from \"@kubeloop/controller\";",
    'import "kubeloops";',
  ];
  assertEquals(importedPackages(texts), ["@kubeloop/controller", "kubeloop/types/core/v1"]);
});

Deno.test("importedFiles() follows links, as the runtimes do", async () => {
  await withFiles({ "shared/a.ts": 'import "./b.ts";', "shared/b.ts": "" }, async (folder) => {
    await Deno.mkdir(`${folder}/src`);
    await Deno.symlink(`${folder}/shared/a.ts`, `${folder}/src/main.ts`);
    const found = await importedFiles(`${folder}/src/main.ts`);
    assertEquals([...found.keys()], [`${folder}/shared/a.ts`, `${folder}/shared/b.ts`]);
  });
});

Deno.test("FileWatch reports a file that is written, and not one with the same text or that nothing imports", async () => {
  await withFiles(PROGRAM, async (folder) => {
    const { path, savedMs } = await changeOf(folder, async () => {
      await Deno.writeTextFile(`${folder}/main.ts`, PROGRAM["main.ts"]);
      await Deno.writeTextFile(`${folder}/unrelated.ts`, "// changed");
      await Deno.writeTextFile(`${folder}/a.ts`, "// changed");
    });
    assertEquals(path, `${folder}/a.ts`);
    assertEquals(savedMs, (await Deno.stat(path)).mtime?.getTime());
  });
});

Deno.test("FileWatch reports a file that is replaced by another, as editors do", async () => {
  await withFiles(PROGRAM, async (folder) => {
    const { path } = await changeOf(folder, async () => {
      await Deno.writeTextFile(`${folder}/a.ts.swp`, "// new");
      await Deno.remove(`${folder}/a.ts`);
      await Deno.rename(`${folder}/a.ts.swp`, `${folder}/a.ts`);
    });
    assertEquals(path, `${folder}/a.ts`);
  });
});

Deno.test("FileWatch reports a change between the reading of the files and its own start", async () => {
  await withFiles(PROGRAM, async (folder) => {
    const texts = await importedFiles(`${folder}/main.ts`);
    await Deno.writeTextFile(`${folder}/a.ts`, "// changed");
    const changed = Promise.withResolvers<FileChange>();
    const watch = new FileWatch(texts, realClock, changed.resolve);
    assert((await changed.promise).path.endsWith("/a.ts"));
    watch.close();
  });
});
