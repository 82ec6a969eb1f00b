import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";
import { importsOf } from "./source.ts";

/** `tests/controller.test.ts`: a unit test against the in-process server. */
export function controllerTest(answers: Answers, names: ProjectNames): string {
  const { kind, outside, owns } = answers;
  const { camel, descriptor } = names;
  const [first] = owns;
  const arguments_ = outside ? "client, outside" : "client";
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@kubeloop/controller";
${
    owns.length === 0
      ? ""
      : `${importsOf(owns, ({ plural }) => plural)}\n`
  }import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { ${descriptor} } from "../src/definition.ts";
import { ${camel}Operator } from "../src/operator.ts";
${outside ? 'import { FakeOutside } from "./fake_outside.ts";\n' : ""}
const namespace = "default";

test("a ${kind} gets what it asks for", async () => {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  // Without the warnings of the failure below.
  const logger = { ...console, debug() {}, info() {}, warn() {} };
  const client = new Client({ ...server.clientOptions, logger });
${outside ? "  const outside = new FakeOutside();\n" : ""}  const stop = new AbortController();
  const running = ${camel}Operator(${arguments_}).run({ signal: stop.signal });
  try {
    await clock.advance(1000); // The definition is installed, and the caches have synced.
    const spec = { message: "hello", size: 1 };
    await client.create(${descriptor}, { metadata: { name: "one", namespace }, spec });
    await clock.advance(1000);
    const { status } = await client.get(${descriptor}, "one", { namespace });
    assert.equal(status?.conditions?.[0]?.status, "True");
    assert.equal(status?.size, 1);
${
    owns.map(({ follows, plural }) =>
      follows === undefined
        ? `    assert.ok(server.get(${plural}, "one", namespace));\n`
        : `    assert.equal(server.get(${plural}, "one", namespace)?${follows.path}, ${
          follows.value("1", '"hello"')
        });\n`
    ).join("")
  }${outside ? '    assert.deepEqual(outside.state(), ["hello"]);\n' : ""}
    // It follows a change.
    await client.patch(${descriptor}, "one", { spec: { message: "bye", size: 2 } }, { namespace });
    await clock.advance(1000);
    assert.equal((await client.get(${descriptor}, "one", { namespace })).status?.size, 2);
${
    owns.flatMap(({ follows, plural }) =>
      follows === undefined ? [] : [
        `    assert.equal(server.get(${plural}, "one", namespace)?${follows.path}, ${
          follows.value("2", '"bye"')
        });\n`,
      ]
    ).join("")
  }${outside ? '    assert.deepEqual(outside.state(), ["bye"]);\n' : ""}${
    owns.length === 0 ? "" : `
    // Deleted objects come back.
${
      owns.map(({ plural }) => `    await client.delete(${plural}, "one", { namespace });\n`)
        .join("")
    }    await clock.advance(1000);
${owns.map(({ plural }) => `    assert.ok(server.get(${plural}, "one", namespace));\n`).join("")}`
  }${
    outside
      ? `
    await client.delete(${descriptor}, "one", { namespace });
    await clock.advance(1000);
    assert.deepEqual(outside.state(), []);
`
      : ""
  }
    // A failure shows in the status.
${
    first === undefined
      ? "    outside.isDown = true;\n"
      : `    server.faults.fail(403, { when: ({ resource }) => resource === ${first.plural}.plural });\n`
  }    await client.create(${descriptor}, { metadata: { name: "two", namespace }, spec });
    await clock.advance(1000);
    const failed = await client.get(${descriptor}, "two", { namespace });
    assert.equal(failed.status?.conditions?.[0]?.reason, "Failed");
  } finally {
    stop.abort();
    await clock.run(running);
    await client.close();
    await server.close();
  }
});
`;
}

/** `tests/simulation.ts`: the same program, with crashes, lost answers and late caches. */
export function simulationOf(answers: Answers, names: ProjectNames): string {
  const { outside, owns } = answers;
  const { camel, descriptor, plural } = names;
  const [first] = owns;
  return `${first === undefined ? "" : `${importsOf([first], (owned) => owned.plural)}\n`}import {
  create,
  patch,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { ${descriptor} } from "../src/definition.ts";
import { ${camel}Operator } from "../src/operator.ts";
${outside ? 'import { FakeOutside } from "./fake_outside.ts";\n' : ""}
/** The operator, and what a user does. Each plan repeats it with something else gone wrong. */
export const sim = simulation({
  name: "${plural}",
  process: ({ client, ${outside ? "cloud, " : ""}signal }) =>
    ${camel}Operator(client${outside ? ", cloud" : ""}).run({ signal }),
${outside ? "  world: { cloud: () => new FakeOutside() },\n" : ""}  workload: [
    create(${descriptor}, "one", { spec: { message: "hello", size: 1 } }),
    settle(),
    patch(${descriptor}, "one", { spec: { message: "bye", size: 2 } }),
    settle(),
${
    first === undefined
      ? ""
      : `    remove(${first.plural}, "one"),\n    settle(),\n`
  }    remove(${descriptor}, "one"),
    settle(),
  ],
});
`;
}

/** `tests/simulation.test.ts`: the first plans, as a test. */
export function simulationTest(): string {
  return `import process from "node:process";
import { test } from "node:test";
import { assertClean } from "@kubeloop/testing/simulation";
import { sim } from "./simulation.ts";

test("no crash, lost answer or late cache makes a difference", async () => {
  const plans = Number(process.env.PLANS ?? "60");
  assertClean(await sim.explore({ budget: { plans } }));
});
`;
}

/** `tests/simulate.ts`: many plans, with the report. */
export function simulate({ runtime }: Answers): string {
  return `/** Prints the report of many plans: 600, or "${runtime.run} simulate ${runtime.separator}5000". It fails if one ends wrong. */
import process from "node:process";
import { sim } from "./simulation.ts";

const plans = Number(process.argv[2] ?? "600");
const report = await sim.explore({ budget: { plans } });
console.log(String(report));
process.exitCode = report.findings.length > 0 ? 1 : 0;
`;
}

/** `tests/fake_outside.ts`: the thing outside of the cluster, in memory. */
export function fakeOutside(): string {
  return `import type { Outside } from "../src/outside.ts";

/** The things outside of the cluster, in memory. */
export class FakeOutside implements Outside {
  readonly #things = new Map<string, string>();
  isDown = false;

  ensure(id: string, message: string): Promise<void> {
    if (this.isDown) return Promise.reject(new Error("It is down"));
    this.#things.set(id, message);
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.#things.delete(id);
    return Promise.resolve();
  }

  /** Returns what there is. A simulation compares it with that of the run without faults. */
  state(): string[] {
    return [...this.#things.values()].sort();
  }
}
`;
}
