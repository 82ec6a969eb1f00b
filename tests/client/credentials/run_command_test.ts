import { assert, assertEquals, assertRejects } from "@std/assert";
import { realClock } from "../../../src/base/mod.ts";
import { type Command, runCommand } from "../../../src/client/credentials/run_command.ts";

const until = (signal = new AbortController().signal) => ({ clock: realClock, signal });

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
  "runCommand() sets the environment and returns the output and the exit code",
  { ignore },
  async () => {
    const command = shell('printf "%s %s" "$ADDED" "${PATH:+inherited}"; exit 3', {
      env: { ADDED: "ä" },
    });
    assertEquals(await runCommand(command, until()), {
      kind: "exited",
      code: 3,
      stdout: "ä inherited",
    });
  },
);

Deno.test("runCommand() gives a program an empty standard input", { ignore }, async () => {
  const outcome = await runCommand(shell("cat; echo end"), until());
  assertEquals(outcome, { kind: "exited", code: 0, stdout: "end\n" });
});

Deno.test("runCommand() reports that a program does not exist", async () => {
  const outcome = await runCommand(shell("", { file: "/nowhere/login" }), until());
  assert(outcome.kind === "not started");
  assertEquals((outcome.error as { code?: unknown }).code, "ENOENT");
});

Deno.test("runCommand() reports the signal that killed a program", { ignore }, async () => {
  const outcome = await runCommand(shell("kill -TERM $$; sleep 60"), until());
  assertEquals(outcome, { kind: "killed", signal: "SIGTERM" });
});

/** Reports whether a process is running. A zombie does not count. */
async function isRunning(pid: number): Promise<boolean> {
  const ps = new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] });
  const state = new TextDecoder().decode((await ps.output()).stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

Deno.test(
  "runCommand() kills a program that hangs, and its child processes",
  { ignore },
  async () => {
    const file = await Deno.makeTempFile();
    try {
      const command = shell(`sleep 300 & echo $! > ${file}; wait`, { timeoutMs: 3_000 });
      assertEquals(await runCommand(command, until()), { kind: "too slow" });
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
    await runCommand(shell("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"), until()),
    {
      kind: "too much output",
    },
  );
});

Deno.test("runCommand() kills the program on abort and rejects with the reason", {
  ignore,
}, async () => {
  const stop = new AbortController();
  const reason = new Error("Enough");
  const running = runCommand(shell("sleep 300"), until(stop.signal));
  setTimeout(() => stop.abort(reason), 50);
  assertEquals(await assertRejects(() => running), reason);
  assertEquals(await assertRejects(() => runCommand(shell(""), until(stop.signal))), reason);
});
