/**
 * A new user's first minutes with Node and npm, and with Bun: `create-kubeloop`, installed from its tarball, writes a
 * project, which passes its own rules with the packages of this build. `deno task npm` must have built them before.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Installed } from "./_installed.ts";
import { capture, npm, PUBLISHED, run, type Runtime, runtimes, tarballOf } from "./_tools.ts";

const ANSWERS = [
  "--kind",
  "acme.io/v1/Widget",
  "--owns",
  "Deployment,ConfigMap",
  "--outside",
  "no",
];

/** Writes a project with the installed program, and installs its dependencies. */
async function create(project: Installed, runtime: Runtime, name: string): Promise<string> {
  const program = `${project.folder}/node_modules/.bin/create-kubeloop`;
  const flags = [...ANSWERS, "--runtime", name, `${project.folder}/${name}`];
  const printed = await run([runtime.path, program, ...flags]);
  assertStringIncludes(printed, `Wrote ${project.folder}/${name}. Next:`);
  const folder = `${project.folder}/${name}`;
  await npm(["install", ...PUBLISHED.map(tarballOf)], folder);
  return folder;
}

Deno.test("npm create kubeloop", async (t) => {
  await using project = await Installed.create();
  const found = await runtimes();
  const node = found.find(({ name }) => name.startsWith("node 24"));
  const bun = found.find(({ name }) => name.startsWith("bun"));
  assert(node !== undefined && bun !== undefined);
  await Deno.mkdir(`${project.folder}/bin`);
  await Deno.symlink(node.path, `${project.folder}/bin/node`);
  await Deno.symlink(bun.path, `${project.folder}/bin/bun`);
  const env = { PATH: `${project.folder}/bin:${Deno.env.get("PATH")}`, NO_COLOR: "1", PLANS: "20" };

  const folder = await create(project, node, "node");
  const script = (cwd: string, ...args: string[]) => capture(["npm", "run", ...args], { cwd, env });
  for (const name of ["check", "lint", "test"]) {
    await t.step(`its project passes npm run ${name}`, async () => {
      const { success, stdout, stderr } = await script(folder, name);
      assert(success, stdout + stderr);
    });
  }

  await t.step("the simulation finds the bug of its README", async () => {
    const path = `${folder}/src/controller.ts`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace("throw error;", "// throw error;"));
    const { success, stdout } = await script(folder, "simulate");
    assertEquals(success, false);
    assertStringIncludes(stdout, "WRONG (end state): ");
    await Deno.writeTextFile(path, text);
  });

  await t.step("its project passes bun run test", async () => {
    const cwd = await create(project, bun, "bun");
    for (const name of ["check", "test"]) {
      const { success, stdout, stderr } = await capture(["bun", "run", name], { cwd, env });
      assert(success, stdout + stderr);
    }
  });

  for (const runtime of [node, bun]) {
    await t.step(`kubeloop dev runs its operator on ${runtime.name}`, async () => {
      const output = await develop(runtime, folder);
      assertStringIncludes(output, "widget default/one: success in ");
      assertStringIncludes(output, "widget-operator: stopped\n");
    });
  }
});

/** Runs `kubeloop dev` until the first reconcile after a change, and returns its output. */
async function develop(runtime: Runtime, cwd: string): Promise<string> {
  const program = `${cwd}/node_modules/.bin/kubeloop`;
  const child = new Deno.Command(runtime.path, {
    args: [program, "dev", "src/main.ts", "--load", "deploy/sample.yaml"],
    cwd,
    env: { NO_COLOR: "1", PORT: "0" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(120_000),
  }).spawn();
  let output = "";
  let step = 0;
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (step === 0 && output.includes(": success in ")) {
        step = 1;
        await Deno.writeTextFile(`${cwd}/src/children.ts`, "// changed\n", { append: true });
      } else if (step === 1 && output.includes(" was saved (")) {
        step = 2;
        child.kill("SIGINT");
      }
    }
  };
  await Promise.all([read(child.stdout), read(child.stderr)]);
  const { code } = await child.status;
  assertEquals(code, 130, output);
  return output;
}
