/**
 * Replaces `Deno` in tests that are bundled for other runtimes: the parts that they use.
 *
 * @module
 */

import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

/** The argument of a test. */
interface TestContext {
  step(name: string, body: TestBody): Promise<boolean>;
}

type TestBody = (context: TestContext) => void | Promise<void>;

const tests: { readonly name: string; readonly body: TestBody }[] = [];

/** A test with options. Only ignored tests have any here. */
interface TestDefinition {
  readonly name: string;
  readonly ignore: boolean;
}

const ignored: string[] = [];

/** Replaces the global of that name. */
export const Deno: {
  test(name: string | TestDefinition, body?: TestBody): void;
  readTextFile(file: URL): Promise<string>;
  readDir(folder: URL): AsyncIterable<{ readonly name: string }>;
} = {
  test: (name, body) => {
    if (typeof name !== "string") ignored.push(name.name);
    else if (body !== undefined) tests.push({ name, body });
  },
  readTextFile: (file) => readFile(file, "utf8"),
  async *readDir(folder) {
    for (const name of await readdir(folder)) yield { name };
  },
};

/** Runs the registered tests in order. Reports failures and ignored tests, and ends with one line of counts. */
export async function runTests(): Promise<void> {
  let passed = 0;
  let failed = 0;
  const fail = (name: string, error: unknown) => {
    failed++;
    console.error(`FAILED: ${name}\n`, error);
  };
  process.on("unhandledRejection", (error) => fail("(nobody handles a rejection)", error));
  let running: string | undefined;
  process.on("exit", () => {
    if (running !== undefined) console.error(`FAILED: ${running}\n waits for what cannot come`);
  });
  for (const { name, body } of tests) {
    const before = failed;
    running = name;
    const context: TestContext = {
      async step(step, run) {
        try {
          await run(context);
          return true;
        } catch (error) {
          fail(`${name} ... ${step}`, error);
          return false;
        }
      },
    };
    try {
      await body(context);
      if (failed === before) passed++;
    } catch (error) {
      fail(name, error);
    }
  }
  running = undefined;
  for (const name of ignored) console.log(`ignored: ${name}`);
  console.log(`${passed} passed | ${failed} failed | ${ignored.length} ignored`);
  // A test that has failed may leave something open, which would keep the process from its end.
  if (failed > 0) process.exit(1);
}
