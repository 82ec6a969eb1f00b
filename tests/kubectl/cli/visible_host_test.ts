import { assertEquals } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import type { ProcessHost } from "../../../src/kubectl/cli/host.ts";
import { painter } from "../../../src/kubectl/cli/terminal/mod.ts";
import { visibleHost } from "../../../src/kubectl/cli/visible_host.ts";

/** Returns the environment of a command, and what it writes. */
function setup() {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const screen = { isTerminal: true, columns: 80 };
  const process: ProcessHost = {
    print: (text) => Promise.resolve(write(text)),
    warn: write,
    draw: write,
    stdout: screen,
    stderr: screen,
    readFile: () => Promise.resolve(""),
    readLines: async function* () {},
    filesBelow: () => Promise.resolve(undefined),
    writeFile: () => Promise.resolve(),
    importModule: () => Promise.resolve({}),
    readInput: () => Promise.resolve(""),
    env: () => undefined,
    signal: new AbortController().signal,
    clock: new VirtualClock(),
  };
  const host = visibleHost(process);
  // As a redactor does, it shortens long texts.
  host.hide((text) => text.slice(0, 65_536).replaceAll("t0ken", "(hidden)"));
  return { host, written };
}

Deno.test("visibleHost() prints lines in the colours of painter(), and nothing else that a terminal acts on", async () => {
  const { host, written } = setup();
  const { bold, status } = painter("always", host);
  const text = `${bold("NAME")}\t\u001b[2J\n${status("Running")} \u001b[8m\r\u202e t0ken\n\n`;
  await host.print(text);
  assertEquals(written, [
    "\u001b[1mNAME\u001b[0m\\t\\u001b[2J\n\u001b[32mRunning\u001b[0m \\u001b[8m\\r\\u202e (hidden)\n\n",
  ]);
});

Deno.test("visibleHost() prints long texts as a whole, and shortens long lines", async () => {
  const { host, written } = setup();
  const text = `${"x".repeat(100)} t0ken\n`.repeat(10_000);
  await host.print(text);
  assertEquals(written.pop(), text.replaceAll("t0ken", "(hidden)"));
  await host.print(`a\n${"\u0000".repeat(1_000_000)}t0ken\nb`);
  const [first, long = "", last] = written.pop()?.split("\n") ?? [];
  assertEquals([first, last, long.length > 30_000, long.length < 41_000], ["a", "b", true, true]);
});

Deno.test("visibleHost() writes data exactly, and a warning as one short line", async () => {
  const { host, written } = setup();
  await host.printData("\u001b[2J t0ken\n");
  host.warn("error:\n  a\u001b[2J t0ken");
  host.draw("\r\u001b[K t0ken");
  assertEquals(written, [
    "\u001b[2J t0ken\n",
    "error: a\\u001b[2J (hidden)",
    "\r\u001b[K (hidden)",
  ]);
  host.warn("x".repeat(100_000));
  assertEquals(written.at(-1)?.length, "… (63536 more characters)".length + 2000);
});
