import { assert, assertEquals, assertRejects } from "@std/assert";
import { ExecCredentials } from "../../../src/client/credentials/exec_credentials.ts";
import type { Command, Outcome } from "../../../src/client/credentials/run_command.ts";
import type { ExecConfig } from "../../../src/client/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

const V1 = "client.authentication.k8s.io/v1";
const EXEC: ExecConfig = { apiVersion: V1, command: "login", args: ["-x"] };

const printed = (status: object, apiVersion = V1): Outcome => ({
  kind: "exited",
  code: 0,
  stdout: JSON.stringify({ kind: "ExecCredential", apiVersion, status }),
});

/** Returns credentials of a plugin with these outcomes. The last one repeats. */
function setUp(outcomes: (Outcome | Promise<Outcome>)[], exec: Partial<ExecConfig> = {}) {
  const clock = new VirtualClock();
  const commands: Command[] = [];
  const credentials = new ExecCredentials({
    exec: { ...EXEC, ...exec },
    source: 'exec of user "u" in kubeconfig "/kc"',
    clock,
    isTerminal: () => Promise.resolve(false),
    run: async (command, { signal }) => {
      commands.push(command);
      const outcome = await (outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!);
      signal.throwIfAborted();
      return outcome;
    },
  });
  const token = async () => (await credentials.current()).authorization;
  return { clock, commands, credentials, token };
}

const later = (clock: VirtualClock, ms: number) => new Date(clock.wallNow() + ms).toISOString();

Deno.test("ExecCredentials runs the plugin once for all callers, and not again", async () => {
  const { commands, token } = setUp([printed({ token: "a" })]);
  assertEquals(await Promise.all([token(), token(), token()]), [
    "Bearer a",
    "Bearer a",
    "Bearer a",
  ]);
  assertEquals(await token(), "Bearer a");
  assertEquals(commands.length, 1);
});

Deno.test("ExecCredentials runs the plugin again when its credentials have expired", async () => {
  const outcomes: Outcome[] = [];
  const { clock, commands, token } = setUp(outcomes);
  outcomes.push(
    printed({ token: "a", expirationTimestamp: later(clock, 5000) }),
    printed({ token: "b" }),
  );
  await token();
  await clock.advance(4999);
  assertEquals(await token(), "Bearer a");
  await clock.advance(1);
  assertEquals(await token(), "Bearer b");
  assertEquals(commands.length, 2);
});

Deno.test("ExecCredentials.renew() runs the plugin once for all requests with the same rejected credentials", async () => {
  const { commands, credentials } = setUp([printed({ token: "a" }), printed({ token: "b" })]);
  const refused = await credentials.current();
  assertEquals(await Promise.all([credentials.renew(refused), credentials.renew(refused)]), [
    true,
    true,
  ]);
  assertEquals(await credentials.renew(refused), true);
  assertEquals(commands.length, 2);
});

for (const [what, tokens] of [["the same token", ["a"]], ["another token", ["a", "b"]]] as const) {
  Deno.test(`ExecCredentials runs a plugin three times that prints ${what} for any number of refused requests`, async () => {
    const { clock, commands, credentials } = setUp(
      Array.from({ length: 300 }, (_, i) => printed({ token: tokens[i % tokens.length] })),
    );
    const refused = await Promise.all(Array.from({ length: 20 }, () => credentials.current()));
    // All at once, and one after another.
    await Promise.all(refused.slice(10).map((one) => credentials.renew(one)));
    for (const one of refused) await credentials.renew(one);
    assertEquals(commands.length, 2);
    for (let i = 0; i < 20; i++) await credentials.renew(await credentials.current());
    assertEquals(commands.length, 3);
    // For ten minutes, two requests each second.
    for (let i = 0; i < 1_200; i++) {
      await clock.advance(500);
      await credentials.renew(await credentials.current());
    }
    // After 2, 4, 8, 16, 32, 60, 60 … seconds.
    assertEquals(commands.length, 16);
  });
}

Deno.test("ExecCredentials runs a plugin again that has failed", async () => {
  const { token } = setUp([{ kind: "too slow" }, printed({ token: "a" })]);
  await assertRejects(token, Error, "did not end within 60 s");
  assertEquals(await token(), "Bearer a");
});

Deno.test("ExecCredentials runs a plugin that keeps failing at growing intervals", async () => {
  const { clock, commands, token } = setUp([{ kind: "too slow" }]);
  for (let i = 0; i < 20; i++) await assertRejects(token, Error, "did not end within 60 s");
  assertEquals(commands.length, 2);
  for (let i = 0; i < 1_200; i++) {
    await clock.advance(500);
    await assertRejects(token, Error, "did not end within 60 s");
  }
  assertEquals(commands.length, 16);
});

Deno.test("ExecCredentials uses what a plugin prints again and again that has expired, at growing intervals", async () => {
  const { clock, commands, token } = setUp([
    printed({ token: "a", expirationTimestamp: "1970-01-01T00:00:00Z" }),
  ]);
  for (let i = 0; i < 20; i++) assertEquals(await token(), "Bearer a");
  assertEquals(commands.length, 2);
  for (let i = 0; i < 1_200; i++) {
    await clock.advance(500);
    assertEquals(await token(), "Bearer a");
  }
  assertEquals(commands.length, 16);
});

Deno.test("ExecCredentials runs a plugin without delay whose credentials live for seconds or are refused later", async () => {
  const outcomes: Outcome[] = [];
  const { clock, commands, credentials, token } = setUp(outcomes);
  for (let i = 0; i < 21; i++) {
    outcomes.push(printed({ token: `${i}`, expirationTimestamp: later(clock, 3_000 * (i + 1)) }));
  }
  for (let i = 0; i < 20; i++) {
    assertEquals(await token(), `Bearer ${i}`);
    await clock.advance(3_000);
  }
  assertEquals(commands.length, 20);
  outcomes.splice(0, outcomes.length, ...[7, 8, 9].map((token) => printed({ token: `${token}` })));
  for (let i = 7; i < 9; i++) {
    const held = await credentials.current();
    await clock.advance(120_000);
    assertEquals(await credentials.renew(held), true);
  }
});

for (
  const time of [
    "+275760-09-13T00:00:00Z",
    "soon 1",
    "0",
    "2026-11-22",
    "12345",
    "Infinity",
    "2026-02-01T00:00:00",
    " 2026-02-01T00:00:00Z",
  ]
) {
  Deno.test(`ExecCredentials refuses the expiration time ${time}`, async () => {
    const { token } = setUp([printed({ token: "a", expirationTimestamp: time })]);
    await assertRejects(token, Error, "expirationTimestamp that is not a time");
  });
}

Deno.test("ExecCredentials keeps credentials that expire after millennia", async () => {
  const { clock, commands, token } = setUp([
    printed({ token: "a", expirationTimestamp: "9999-12-31T23:59:59.999999999Z" }),
  ]);
  await token();
  await clock.advance(2 ** 32);
  await token();
  assertEquals(commands.length, 1);
});

Deno.test("ExecCredentials.close() aborts the plugin and starts no other", async () => {
  const waiting = Promise.withResolvers<Outcome>();
  const { commands, credentials, token } = setUp([waiting.promise]);
  const asked = token();
  credentials.close(new Error("enough"));
  waiting.resolve({ kind: "killed", signal: "SIGKILL" });
  await assertRejects(() => asked, Error, "enough");
  await assertRejects(token, Error, "enough");
  assertEquals(commands.length, 1);
});

Deno.test("ExecCredentials passes arguments, environment and cluster information to the plugin", async () => {
  const cluster = { server: "https://10.0.0.1", config: { audience: "me" } };
  const env = [{ name: "A", value: "1" }];
  const { commands, token } = setUp([printed({ token: "a" })], { cluster, env });
  await token();
  const { env: { KUBERNETES_EXEC_INFO, ...rest }, ...command } = commands[0]!;
  assertEquals(command, { file: "login", args: ["-x"], interactive: false, timeoutMs: 60_000 });
  assertEquals(rest, { A: "1" });
  const info = { kind: "ExecCredential", apiVersion: V1, spec: { interactive: false } };
  assertEquals(JSON.parse(KUBERNETES_EXEC_INFO!), info);

  const informed = setUp([printed({ token: "a" })], { cluster, provideClusterInfo: true });
  await informed.token();
  assertEquals(JSON.parse(informed.commands[0]!.env.KUBERNETES_EXEC_INFO!).spec, {
    cluster,
    interactive: false,
  });
});

Deno.test("ExecCredentials returns a client certificate", async () => {
  const apiVersion = `${V1}beta1` as const;
  const status = { clientCertificateData: "cert", clientKeyData: "key" };
  const { credentials } = setUp([printed(status, apiVersion)], { apiVersion });
  const { authorization, certificate } = await credentials.current();
  assertEquals([authorization, certificate], [undefined, { cert: "cert", key: "key" }]);
});

for (
  const [mode, isTerminal, interactive] of [
    ["Never", true, false],
    ["IfAvailable", true, true],
    ["IfAvailable", false, false],
    ["Always", true, true],
  ] as const
) {
  Deno.test(`ExecCredentials with interactiveMode ${mode} ${isTerminal ? "at" : "without"} a terminal`, async () => {
    const seen: Command[] = [];
    const credentials = new ExecCredentials({
      exec: { ...EXEC, interactiveMode: mode },
      source: "exec",
      clock: new VirtualClock(),
      isTerminal: () => Promise.resolve(isTerminal),
      run: (command) => {
        seen.push(command);
        return Promise.resolve(printed({ token: "a" }));
      },
    });
    await credentials.current();
    assertEquals(seen[0]!.interactive, interactive);
    assertEquals(JSON.parse(seen[0]!.env.KUBERNETES_EXEC_INFO!).spec.interactive, interactive);
  });
}

const exited = (stdout: string): Outcome => ({ kind: "exited", code: 0, stdout });
const notFound = Object.assign(new Error("spawn login ENOENT"), { code: "ENOENT" });
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const FAILURES: [string, Outcome, Partial<ExecConfig>, string][] = [
  [
    "exits 1",
    { kind: "exited", code: 1, stdout: "s3cr3t" },
    {},
    "exited with code 1: see what it wrote to standard error",
  ],
  ["is killed", { kind: "killed", signal: "SIGSEGV" }, {}, "was killed by SIGSEGV"],
  [
    "hangs",
    { kind: "too slow" },
    { timeoutMs: 500 },
    "did not end within 0.5 s and was killed",
  ],
  ["prints too much", { kind: "too much output" }, {}, "printed more than 1 MiB and was killed"],
  ["does not exist", { kind: "not started", error: notFound }, {
    installHint: "brew\n  install login",
  }, "was not found: install it, or correct its path or PATH (brew install login)"],
  ["prints nothing", exited(" \n"), {}, "printed nothing: expected an ExecCredential of"],
  ["prints garbage", exited("s3cr3t"), {}, "printed something else: expected an ExecCredential of"],
  ["prints another object", exited('{"kind":"s3cr3t"}'), {}, "printed something else: expected"],
  [
    "prints another version",
    printed({ token: "s3cr3t" }, `${V1}beta1`),
    {},
    `expected apiVersion "${V1}"`,
  ],
  [
    "prints no status",
    exited(`{"kind":"ExecCredential","apiVersion":"${V1}"}`),
    {},
    "without status",
  ],
  ["prints no credentials", printed({}), {}, "neither a token nor a client certificate"],
  [
    "prints a key without a certificate",
    printed({ clientKeyData: "s3cr3t" }),
    {},
    "one of clientCertificateData and clientKeyData",
  ],
  [
    "prints a token of two lines",
    printed({ token: "s3cr3t\n" }),
    {},
    "a token that a header cannot carry",
  ],
  ["prints a number as the token", printed({ token: 12345 }), {}, "a token that is not a string"],
  [
    "prints an invalid expiration time",
    printed({ token: "s3cr3t", expirationTimestamp: "s3cr3t" }),
    {},
    "expirationTimestamp that is not a time",
  ],
  [
    "needs a terminal",
    exited(""),
    { interactiveMode: "Always" },
    'needs a terminal (interactiveMode "Always")',
  ],
  ["has cyclic settings", exited(""), {
    provideClusterInfo: true,
    cluster: { server: "x", config: cyclic },
  }, "contain a cycle"],
];

for (const [what, outcome, exec, message] of FAILURES) {
  Deno.test(`ExecCredentials reports in one line, with the place, that the plugin ${what}`, async () => {
    const { token } = setUp([outcome], exec);
    const prefix = 'Exec plugin "login" (exec of user "u" in kubeconfig "/kc") ';
    const error = await assertRejects(token, Error, message);
    assert(error.message.startsWith(prefix), error.message);
    assert(!/\n|s3cr3t|12345/.test(error.message), error.message);
  });
}
