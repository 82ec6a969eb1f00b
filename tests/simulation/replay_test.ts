import { assertEquals, assertStringIncludes } from "@std/assert";
import { leaker } from "./_operators.ts";
import { testOn } from "../support/kinds_of_tests.ts";

const program = new URL("./_replay_program.ts", import.meta.url).pathname;

async function run(plan: string, ...flags: readonly string[]) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...flags, program],
    env: { KUBELOOP_PLAN: plan, NO_COLOR: "1" },
    stdin: "null",
  });
  const { code, stderr, stdout } = await command.output();
  const decoder = new TextDecoder();
  return { code, lines: decoder.decode(stdout).trim().split("\n"), errors: decoder.decode(stderr) };
}

testOn(
  ["deno"],
  "starts a program of Deno",
  "KUBELOOP_PLAN runs only its plan, in the simulation that it names",
  async () => {
    const report = await leaker().explore();
    const plan = JSON.stringify(report.findings[0]!.plan);
    const { lines } = await run(plan, "--allow-env");
    assertEquals(lines, ["leaker replay 1 1", "careful plans 3 0"]);
  },
);

testOn(
  ["deno"],
  "starts a program of Deno",
  "a variable that may not be read is not asked for",
  async () => {
    const { errors, lines } = await run("{");
    assertEquals([lines, errors], [["leaker findings 1 1", "careful plans 3 0"], ""]);
  },
);

testOn(
  ["deno"],
  "starts a program of Deno",
  "a variable without a valid plan is refused",
  async () => {
    const { code, errors } = await run("{", "--allow-env");
    assertEquals(code, 1);
    assertStringIncludes(errors, "Cannot read the plan in the environment variable KUBELOOP_PLAN");
  },
);
