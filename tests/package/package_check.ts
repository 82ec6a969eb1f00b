/** Checks the tarballs of the npm packages. `deno task npm` must have built the packages before. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { BrowserBundle } from "./_browser_bundle.ts";
import { Installed } from "./_installed.ts";
import {
  ALIAS,
  capture,
  CREATE,
  KUBECTL,
  npm,
  REPOSITORY,
  ROOT,
  run,
  type Runtime,
  runtimes,
  toolsFolder,
} from "./_tools.ts";
import { differences, loadedPackages, readKept } from "../checks/import_graph.ts";
import { seededRuns } from "../support/seeded_runs.ts";
import { SpiedWorld } from "../support/spy_proxy.ts";

/** The target cost of an import. The nightly run prints the cost; no test asserts it, because machines differ. */
const TARGET = { ms: 30, mib: 10 };

/** The most that the `Client` alone may be in a page: minified, in gzip. It was 43,300 when this was written. */
const MAX_BROWSER_GZIP_BYTES = 53_000;

Deno.test("the npm packages", async (t) => {
  const tools = await toolsFolder();
  const found = await runtimes();
  await using project = await Installed.create();
  const cwd = project.folder;

  await t.step("each entry point loads as much as is expected of it", async () => {
    const found = differences(await loadedPackages(), (await readKept()).npm);
    assertEquals(found, [], "see tests/checks/import_graph.ts");
  });

  for (const [name, tarball] of project.tarballs) {
    await t.step(`${name}: publint reports nothing`, async () => {
      // It suggests another way than the field `browser`, which would need other import specifiers in the scripts.
      const flags = ["--strict", "--level", "warning"];
      const output = await capture([`${tools}/.bin/publint`, "run", tarball, ...flags]);
      assert(output.success && /All good/.test(output.stdout), output.stdout + output.stderr);
    });

    await t.step({
      // Programs of users compile against the same types, below.
      name: `${name}: attw finds the types of every entry point (nightly)`,
      ignore: seededRuns.factor <= 1,
      fn: async () => {
        const args = ["--profile", "esm-only", "--no-emoji", "--no-color"];
        await run([`${tools}/.bin/attw`, tarball, ...args]);
      },
    });

    await t.step(
      `${name}: contains README and licenses, and only declarations of its exports`,
      async () => {
        const files = (await run(["tar", "-tzf", tarball])).trim().split("\n");
        for (const file of ["README.md", "LICENSE", "THIRD_PARTY_LICENSES", "package.json"]) {
          assert(files.includes(`package/${file}`), `${file} is missing`);
        }
        // The scripts are at the root; the scripts of the built-in kinds are beside their declarations.
        const declared = files.filter((file) => /^package\/types\/(?!chunks).*\.d\.ts$/.test(file));
        // The command is a script, not an entry point.
        const entries = files.filter((file) => /^package\/(?!chunks|command).*\.js$/.test(file));
        assertEquals(
          declared.map((file) => file.replace(/\.d\.ts$/, ".js"))
            .map((file) => /\/v\d[^/]*$/.test(file) ? file : file.replace("types/", "")).sort(),
          entries.sort(),
        );
      },
    );
  }

  for (const [name, tarball] of project.tarballs) {
    await t.step(`${name}: has what npm needs for provenance`, async () => {
      const described = JSON.parse(await fileOf(tarball, "package.json"));
      assertEquals(described.repository.type, "git");
      assertEquals(described.repository.url, `git+${REPOSITORY}.git`);
      const folder = described.repository.directory ?? ".";
      await Deno.stat(`${ROOT}${folder}/deno.json`);
      assert(described.homepage.startsWith(REPOSITORY), described.homepage);
      assertEquals(described.bugs, { url: `${REPOSITORY}/issues` });
      assertEquals(described.publishConfig, { access: "public", provenance: true });
      assertEquals(described.private, undefined);
    });

    await t.step(`${name}: names each bundled module, with its version and license`, async () => {
      const bundled = await bundledIn(tarball);
      const named = namedIn(await fileOf(tarball, "THIRD_PARTY_LICENSES"));
      assertEquals(named.flatMap(({ modules }) => modules).sort(), bundled);
      for (const { registry, name, version, license, text } of named) {
        assert(license !== undefined && license !== "", `${name} has no license`);
        assert(/Copyright/.test(text) && /SOFTWARE IS PROVIDED/.test(text), text);
        if (registry === "jsr") continue;
        const installed = await Deno.readTextFile(`${tools}/${name}/package.json`);
        assertEquals(version, JSON.parse(installed).version);
      }
      // The republication of the standard library is bundled only where `links` stand in for JSR too.
      const { links } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
      const bundlesNothing = [ALIAS.name, CREATE.name, KUBECTL.name];
      const standsIn = links !== undefined && !bundlesNothing.includes(name);
      assertEquals(named.some(({ name }) => name === "deno-std"), standsIn);
    });
  }

  await t.step("installs nothing else, and contains no paths of this machine", async () => {
    const listed = await npm(["ls", "--all", "--parseable"], cwd);
    assertEquals(
      listed.match(/(?<=node_modules\/).+$/gm)?.sort(),
      [
        "@kubeloop/controller",
        "@kubeloop/kubectl",
        "@kubeloop/testing",
        "create-kubeloop",
        "kubeloop",
      ],
    );
    const suspects =
      "(/(root|home|Users|tmp|work)/|file://|registry\\.npm|jsr\\.io|@std/(yaml|streams|cli)/)";
    const hits = await capture([
      "grep",
      "-rlE",
      // Not in comments: the examples of methods import packages.
      `^ *([^ *].*)?(from|import) *\\(?["'](jsr:|npm:|@)|${suspects}`,
      "--include=*.js",
      // It starts the command of @kubeloop/kubectl.
      "--exclude=command.js",
      // They load @kubeloop/testing, if it is installed.
      "--exclude=rehearse_command-*.js",
      "--exclude=crd_command-*.js",
      "--include=package.json",
      `${cwd}/node_modules/kubeloop`,
      `${cwd}/node_modules/@kubeloop`,
    ]);
    assertEquals(hits.stdout, "");
  });

  for (const name of ["all_requests", "controller", "identity", "import_cost"]) {
    await project.copyConsumer(`${name}.ts`, `${name}.mjs`);
    await project.copyConsumer(`${name}.ts`, `${name}.ts`);
  }
  await project.copyConsumer("disks.ts", "disks.ts");
  await project.copyConsumer("simulation.ts", "simulation.ts");
  await project.copyConsumer("types.ts", "types.ts");
  const findings = new Set<string>();

  for (const runtime of found) {
    await t.step(`runs a controller on ${runtime.name}, in JavaScript and TypeScript`, async () => {
      for (const file of ["controller.mjs", "controller.ts"]) {
        for (const args of [[], ["served"]]) {
          const output = await run([runtime.path, file, ...args], { cwd });
          assertEquals(output, "reconciled default/web nginx\n", `${file} ${args}`);
        }
      }
      const same = JSON.parse(await run([runtime.path, "identity.mjs"], { cwd }));
      assertEquals(Object.values(same), Object.values(same).map(() => true), JSON.stringify(same));
    });

    await t.step(`simulates a controller on ${runtime.name}, the same as elsewhere`, async () => {
      const output = await run([runtime.path, "simulation.ts"], { cwd });
      assertStringIncludes(output, "WRONG (invariant): 2 volumes for one disk");
      assertStringIncludes(output, "\nin workers: the same\n");
      findings.add(output);
      assertEquals(findings.size, 1, [...findings].join("\n"));
    });

    await t.step(`prints types of a CustomResourceDefinition on ${runtime.name}`, async () => {
      const program = `${cwd}/node_modules/.bin/kubeloop`;
      const crd = `${ROOT}tests/kubectl/cli/widgets_crd.yaml`;
      const expected = await Deno.readTextFile(`${ROOT}tests/kubectl/cli/generated/widgets.ts`);
      const printed = await run([runtime.path, program, "types", crd]);
      // The import fits on one line there.
      assertEquals(withoutImports(printed), withoutImports(expected));
      assertStringIncludes(printed, ' from "kubeloop/types";\n');
      await project.write("widgets.ts", printed);
    });

    await t.step(`compares and documents definitions on ${runtime.name}`, async () => {
      const program = `${cwd}/node_modules/.bin/kubeloop`;
      const crd = `${ROOT}tests/kubectl/cli/widgets_crd.yaml`;
      const checked = await run([runtime.path, program, "crd", "check", crd, crd]);
      assertEquals(checked, "widgets.acme.io is compatible\n");
      const page = await run([runtime.path, program, "crd", "docs", crd]);
      assertStringIncludes(page, "# Widget\n");
    });

    await t.step(`serves a cluster on ${runtime.name} until SIGTERM`, async () => {
      const program = `${cwd}/node_modules/.bin/kubeloop-serve`;
      await using serving = new Deno.Command(runtime.path, {
        args: [program, "--port", "0"],
        stdout: "piped",
      }).spawn();
      let printed = "";
      for await (const text of serving.stdout.pipeThrough(new TextDecoderStream())) {
        printed += text;
        const [, url] = /^# Serving (\S+);/m.exec(printed) ?? [];
        if (url === undefined) continue;
        const { gitVersion } = await (await fetch(`${url}/version`)).json();
        assert(gitVersion.startsWith("v1."), gitVersion);
        break;
      }
      serving.kill("SIGTERM");
      assertEquals((await serving.status).code, 0);
    });

    await t.step(
      `keeps plain http away from proxies in the environment on ${runtime.name}`,
      async () => {
        await using world = await SpiedWorld.start();
        for (const env of world.environments) {
          world.requests.length = 0;
          const command = [runtime.path, "all_requests.mjs", world.server];
          assertEquals(await run(command, { cwd, env }), "done\n");
          assertEquals([world.overheard, world.requests.length], [[], 4]);
        }
      },
    );

    if (seededRuns.factor > 1) {
      await t.step(`import on ${runtime.name}: ${await importCost(runtime, cwd)}`, () => {});
    }
  }

  await project.write("strict.json", JSON.stringify({ compilerOptions: STRICT }));
  for (
    const mode of [
      { module: "esnext", moduleResolution: "bundler" },
      { module: "nodenext", moduleResolution: "nodenext" },
    ]
  ) {
    await t.step(`compiles strictly with moduleResolution ${mode.moduleResolution}`, async () => {
      await project.write(
        "tsconfig.json",
        JSON.stringify({
          extends: "./strict.json",
          compilerOptions: { ...mode, outDir: "out", typeRoots: [`${tools}/@types`] },
          files: ["types.ts", "controller.ts", "identity.ts", "simulation.ts", "widgets.ts"],
        }),
      );
      await run(["node", `${tools}/typescript/bin/tsc`, "--project", "tsconfig.json"], { cwd });
      const [node] = found as [Runtime];
      assertEquals(
        await run([node.path, "out/controller.js"], { cwd }),
        "reconciled default/web nginx\n",
      );
    });
  }

  await t.step("is small in a browser, and has nothing of Node there", async () => {
    for (const entry of ["kubeloop/client", "kubeloop"]) {
      const program = `import { Client } from "${entry}"; globalThis.client = Client;`;
      const { bytes, gzipBytes, nodeModules } = await browserBundleOf(project, program);
      assertEquals(nodeModules, []);
      assert(gzipBytes < MAX_BROWSER_GZIP_BYTES, `${gzipBytes} bytes in gzip`);
      console.log(`Client in a browser, from ${entry}: ${bytes} bytes, ${gzipBytes} in gzip`);
    }
  });

  await t.step("is tree-shakeable", async () => {
    const whole = await bundleOf(
      project,
      'export * from "kubeloop"; export * from "@kubeloop/testing"; export * from "@kubeloop/testing/simulation";',
    );
    const client = await bundleOf(
      project,
      'import { Client } from "kubeloop"; console.log(Client);',
    );
    const informer = await bundleOf(
      project,
      'import { Client, Pods, SharedInformer } from "kubeloop"; console.log(Client, Pods, SharedInformer);',
    );
    const operator =
      /\b(Manager|StoryBook|WebhookServer|LeaderElector|PrometheusRegistry)\d* = class/;
    assert(operator.test(whole), "the operator toolkit is not in the whole");
    assert(!operator.test(informer), "an informer alone brings the operator toolkit");
    const parts = {
      informers: /\bSharedInformer\d* = class/,
      queues: /\bDeltaFIFO\d* = class/,
      simulation: /\bSimulation\d* = class/,
      testing: /\bApiServer\d* = class/,
      YAML: /tag:yaml\.org/,
    };
    for (const [name, part] of Object.entries(parts)) {
      // Otherwise the next assertion would prove nothing.
      assert(part.test(whole), `${name} is not in the whole`);
      assert(!part.test(client), `Client alone brings ${name}`);
    }
    console.log(`Client alone: ${client.length} of ${whole.length} characters`);
    const one = await bundleOf(
      project,
      'import { Deployments } from "kubeloop/types/apps/v1"; console.log(Deployments);',
    );
    assert(one.includes('"deployments"'), "the descriptor is not in the bundle");
    assert(!one.includes('"statefulsets"'), "one descriptor brings the others of its group");
  });
});

function withoutImports(text: string): string {
  return text.replace(/^import \{[^}]*\} from "[^"]*";$/m, "");
}

function fileOf(tarball: string, path: string): Promise<string> {
  return run(["tar", "-xzOf", tarball, `package/${path}`]);
}

/** Returns the modules of others in the scripts of a tarball: esbuild writes a comment above each module. */
async function bundledIn(tarball: string): Promise<string[]> {
  const files = (await run(["tar", "-tzf", tarball])).trim().split("\n");
  const modules = new Set<string>();
  for (const file of files.filter((path) => path.endsWith(".js"))) {
    const text = await fileOf(tarball, file.slice("package/".length));
    const ownModules = [...text.matchAll(/^\/\/ (src|tests\/package)\/.+\.ts$/gm)];
    const otherModules = [...text.matchAll(/^\/\/ ((?:npm|jsr):.+)$/gm)];
    const names = [...text.matchAll(/^\/\/ .*\.(?:[cm]?[jt]s)$/gm)];
    assertEquals(names.length, ownModules.length + otherModules.length, `${file}: ${names}`);
    for (const [, module = ""] of otherModules) modules.add(module);
  }
  return [...modules].sort();
}

/** Returns what a file THIRD_PARTY_LICENSES says. */
function namedIn(text: string) {
  return text.split(/^=+$/m).slice(1).map((section) => {
    const [, registry = "", name = "", version = ""] =
      /^(npm|jsr):(\S+)@([^\s@]+)$/m.exec(section) ?? [];
    const [, license] = /^License: (.*)$/m.exec(section) ?? [];
    const modules = [...section.matchAll(/^ {2}(\S+)$/gm)]
      .map(([, path]) => `${registry}:${name}@${version}/${path}`);
    return { registry, name, version, license, modules, text: section };
  });
}

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  rewriteRelativeImportExtensions: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022"],
  types: ["node"],
};

/** Returns a program and all that it imports as one module. */
async function bundleOf(project: Installed, program: string): Promise<string> {
  await project.write("bundled.mjs", program);
  const flags = ["--allow-read", "--allow-env", "--allow-run", "--no-config"];
  const file = `${project.folder}/bundled.mjs`;
  return await run([Deno.execPath(), "run", ...flags, `${ROOT}tests/package/_bundle.ts`, file]);
}

/** Bundles a program for a browser, with the default settings of the bundler. */
async function browserBundleOf(project: Installed, program: string): Promise<BrowserBundle> {
  await project.write("page.mjs", program);
  const flags = ["--allow-read", "--allow-write", "--allow-env", "--allow-run", "--quiet"];
  const bundler = `${ROOT}tests/package/_browser_bundle.ts`;
  const files = [`${project.folder}/page.mjs`, `${project.folder}/page`];
  await Deno.mkdir(`${project.folder}/page`, { recursive: true });
  return JSON.parse(
    await run([Deno.execPath(), "run", ...flags, bundler, ...files, "packages"]),
  );
}

/** Returns the cost of an import, in time and memory, compared with a program without the import. */
async function importCost({ path }: Runtime, cwd: string): Promise<string> {
  const costs = async (...modules: string[]) => {
    const runs: { ms: number; mib: number }[] = [];
    for (let i = 0; i < 5; i++) {
      runs.push(JSON.parse(await run([path, "import_cost.mjs", ...modules], { cwd })));
    }
    return { ms: median(runs.map(({ ms }) => ms)), mib: median(runs.map(({ mib }) => mib)) };
  };
  const without = await costs();
  const { ms, mib } = await costs("kubeloop");
  const memory = `${(mib - without.mib).toFixed(1)} MiB`;
  return `${ms.toFixed(1)} ms, ${memory} (target ${TARGET.ms} ms, ${TARGET.mib} MiB)`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
