import { assert, assertEquals, assertRejects } from "@std/assert";
import { realClock } from "../../../src/base/mod.ts";
import { type Command, runCommand } from "../../../src/client/credentials/run_command.ts";

const unless = (signal = new AbortController().signal) => ({ clock: realClock, signal });

const shell = (script: string, options: Partial<Command> = {}): Command => ({
  file: "/bin/sh",
  args: ["-c", script],
  env: {},
  interactive: false,
  timeoutMs: 30_000,
  ...options,
});

const ignore = Deno.build.os === "windows";

Deno.test(
  "runCommand() gives what a program prints, its code and its environment",
  { ignore },
  async () => {
    const command = shell('printf "%s %s" "$ADDED" "${PATH:+inherited}"; exit 3', {
      env: { ADDED: "ä" },
    });
    assertEquals(await runCommand(command, unless()), {
      kind: "exited",
      code: 3,
      stdout: "ä inherited",
    });
  },
);

Deno.test("runCommand() gives a program nothing to read", { ignore }, async () => {
  const outcome = await runCommand(shell("cat; echo end"), unless());
  assertEquals(outcome, { kind: "exited", code: 0, stdout: "end\n" });
});

Deno.test("runCommand() says that a program is not there", async () => {
  const outcome = await runCommand(shell("", { file: "/nowhere/login" }), unless());
  assert(outcome.kind === "not started");
  assertEquals((outcome.error as { code?: unknown }).code, "ENOENT");
});

Deno.test("runCommand() says what ended a program", { ignore }, async () => {
  const outcome = await runCommand(shell("kill -TERM $$; sleep 60"), unless());
  assertEquals(outcome, { kind: "killed", signal: "SIGTERM" });
});

/** Whether a process is running, one that waits to be reaped not counted. */
async function isRunning(pid: number): Promise<boolean> {
  const ps = new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] });
  const state = new TextDecoder().decode((await ps.output()).stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

Deno.test(
  "runCommand() kills a program that hangs, and what it has started",
  { ignore },
  async () => {
    const file = await Deno.makeTempFile();
    try {
      const command = shell(`sleep 300 & echo $! > ${file}; wait`, { timeoutMs: 3_000 });
      assertEquals(await runCommand(command, unless()), { kind: "too slow" });
      const pid = Number(await Deno.readTextFile(file));
      assert(pid > 0);
      for (let i = 0; i < 100 && await isRunning(pid); i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assertEquals(await isRunning(pid), false);
    } finally {
      await Deno.remove(file);
    }
  },
);

Deno.test("runCommand() kills a program that prints too much", { ignore }, async () => {
  assertEquals(
    await runCommand(shell("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"), unless()),
    {
      kind: "too much output",
    },
  );
});

Deno.test("runCommand() kills the program when it is aborted, and rejects with the reason", {
  ignore,
}, async () => {
  const stop = new AbortController();
  const reason = new Error("Enough");
  const running = runCommand(shell("sleep 300"), unless(stop.signal));
  setTimeout(() => stop.abort(reason), 50);
  assertEquals(await assertRejects(() => running), reason);
  assertEquals(await assertRejects(() => runCommand(shell(""), unless(stop.signal))), reason);
});
