import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { parseAnswers } from "../../src/create/answers.ts";
import { projectFiles } from "../../src/create/project_files.ts";
import { writeProject } from "../../src/create/write_project.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";
import { sampleInputs } from "../support/seeded_runs.ts";
import { validAnswers } from "./_answers.ts";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The number of plans of each simulation in the tests of the projects. */
const PLANS = "10";

const RUN = ["run", "--no-check", "--allow-env"];

/** Returns the configuration of a project for Deno, with the packages of this repository in the place of the registry. */
async function denoConfig(): Promise<string> {
  const { links = [] } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const one = { kind: "acme.io/v1/One", owns: "Secret", outside: "no", runtime: "deno" };
  const config = JSON.parse(projectFiles(parseAnswers(one)).get("deno.json")!);
  const linked = [".", "src/kubectl", "src/testing", ...links];
  return JSON.stringify({ ...config, links: linked.map((path) => `${ROOT}/${path}`) });
}

/** Runs a command of Deno in a folder. */
async function deno(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", PLANS },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Writes random projects and does what their README says. */
async function tryProjects(count: number): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-projects-" });
  try {
    const inputs = sampleInputs(validAnswers, { count, round: 0 });
    // Both answers about the outside are among them, whatever the seed.
    const fixed = [
      { outside: "yes", owns: "Deployment,ConfigMap" },
      { outside: "yes", owns: "none" },
      { outside: "no", owns: "Secret" },
    ];
    for (const [i, answers] of fixed.slice(0, count).entries()) {
      inputs[i] = { ...inputs[i]!, ...answers };
    }
    const names = inputs.map((_, index) => `project-${index}`);
    const shown = JSON.stringify(inputs);
    for (const [index, given] of inputs.entries()) {
      const files = new Map(projectFiles(parseAnswers(given)));
      // All projects are in one workspace, so that the library is checked once.
      for (const path of ["deno.json", "package.json", "tsconfig.json"]) files.delete(path);
      await writeProject(`${folder}/${names[index]}`, files);
    }
    await Deno.writeTextFile(`${folder}/deno.json`, await denoConfig());

    const checked = await deno(folder, "check", "--quiet", ...names);
    assertEquals(checked.code, 0, `${shown}\n${checked.output}`);
    const linted = await deno(folder, "lint", "--quiet", ...names);
    assertEquals(linted.code, 0, `${shown}\n${linted.output}`);
    const flags = ["test", "--no-check", "--allow-env"];
    const tested = await deno(folder, ...flags, ...names);
    assertEquals(tested.code, 0, `${shown}\n${tested.output}`);
    assertStringIncludes(tested.output, `ok | ${2 * count} passed | 0 failed`);
    for (const name of names) {
      const flags = ["package", `${name}/src/operator.ts`, "--image", name];
      const printed = await deno(
        folder,
        "run",
        "-A",
        "--no-check",
        "@kubeloop/kubectl/cli",
        ...flags,
      );
      assertStringIncludes(printed.output, "kind: ClusterRoleBinding", name);
    }

    // The README describes a first bug.
    for (const name of names) {
      const path = `${folder}/${name}/src/controller.ts`;
      const text = await Deno.readTextFile(path);
      const broken = text.replace(/^ *throw error;.*\n/m, "");
      assert(broken !== text, name);
      await Deno.writeTextFile(path, broken);
    }
    const unit = await deno(
      folder,
      ...flags,
      ...names.map((name) => `${name}/tests/controller.test.ts`),
    );
    assertEquals(unit.code, 0, unit.output);
    for (const name of names.slice(0, 4)) {
      const { code, output } = await deno(folder, ...RUN, `${name}/tests/simulate.ts`);
      assertEquals(code, 1, `${name}: ${shown}`);
      assertStringIncludes(output, "WRONG (end state): ");
      assertMatch(output, /^Fault: .* (?:is answered with \d+|its answer is lost)$/m);
      assertStringIncludes(output, "Replay: KUBELOOP_PLAN=");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

nightlyTest(
  "ten random projects pass types, lint and tests, and the simulation finds the bug",
  () => tryProjects(10),
);
