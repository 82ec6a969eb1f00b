/** Tests of the options of Client and loadConfig(): what plain JavaScript may pass. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, type ClientOptions, loadConfig } from "../../src/client/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { Namespaces } from "../../src/types/mod.ts";

const server = "https://10.0.0.1";
const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "login" };

const WRONG: readonly (readonly [options: object, message: string])[] = [
  [{ sever: server }, 'has no option "sever": did you mean "server"?'],
  [{ insecureSkipTLSVerify: true }, 'did you mean "insecureSkipTlsVerify"?'],
  [{ caCert: "s3cr3t" }, 'has no option "caCert"'],
  [{ bearerToken: "s3cr3t" }, 'has no option "bearerToken"'],
  [{ insecureSkipTlsVerify: "false" }, "insecureSkipTlsVerify must be true or false"],
  [{ allowInsecureToken: "no" }, "allowInsecureToken must be true or false"],
  [{ token: 12345 }, "token must be a text: received a value of type number"],
  [{ username: "u", password: 12345 }, "password must be a text: received a value of type number"],
  [{ caData: new Uint8Array(3) }, "caData must be PEM text: received bytes: decode them first"],
  [{ certData: null }, "certData must be PEM text: received null"],
  [{ caFile: 1 }, "caFile must be a text: received 1"],
  [{ proxyUrl: new URL("http://me:s3cr3t@proxy") }, "proxyUrl must be a text: received an object"],
  [{ exec: "login" }, "exec takes an object with options: received a string"],
  [{ exec: { ...exec, arg: [] } }, 'exec has no option "arg": did you mean "args"?'],
  [{ exec: { ...exec, apiVersion: "v1" } }, "apiVersion must be one of"],
  [{ exec: { ...exec, command: undefined } }, "exec needs a command"],
  [{ exec: { ...exec, args: "s3cr3t" } }, "args must be an array"],
  [{ exec: { ...exec, args: [1] } }, "args must contain texts only"],
  [{ exec: { ...exec, env: { TOKEN: "s3cr3t" } } }, "env must be an array"],
  [{ exec: { ...exec, env: ["TOKEN=s3cr3t"] } }, "env must contain objects { name, value }"],
  [{ impersonate: "jane" }, "impersonate takes an object with options: received a string"],
  [{ impersonate: { user: "jane", group: ["a"] } }, 'no option "group": did you mean "groups"?'],
  [{ impersonate: { user: "jane", groups: "admins" } }, "groups must be an array"],
  [{ impersonate: { user: "jane", extra: { scopes: "a" } } }, "extra of a key must be an array"],
  [{ readFile: "/file" }, "readFile"],
];

for (const [options, message] of WRONG) {
  Deno.test(`Client and loadConfig() refuse an option, and show no secret: ${message}`, async () => {
    const given = { server, ...options } as ClientOptions;
    const errors = [
      assertThrows(() => new Client(given), TypeError, message),
      await assertRejects(() => loadConfig(given), TypeError, message),
    ];
    for (const error of errors) assert(!/\n|s3cr3t|12345/.test(error.message), error.message);
  });
}

Deno.test("Client names what its options have to be", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [undefined, "Client needs options"],
    ["/kubeconfig", "received a string"],
    [[], "received an array"],
    [{ fetch: "f" }, "fetch"],
    [{ server, upgrade: true }, "upgrade"],
    [{ server, burst: "10" }, "burst"],
    [{ server, maxWatchLineBytes: 0 }, "maxWatchLineBytes"],
    [{ server, warningHandler: {} }, "warningHandler"],
    [{ server, clock: Date }, "clock"],
    [{ server, logger: () => {} }, "logger"],
    [{ server, maxRetry: 1 }, 'did you mean "maxRetries"?'],
    [{ server, context: "dev" }, 'no option "context": give it to loadConfig()'],
    [{ kubeconfig: "/kc" }, 'no option "kubeconfig": give it to loadConfig()'],
  ];
  for (const [options, message] of wrong) {
    const error = assertThrows(() => new Client(options as ClientOptions), Error, message);
    assert(!error.message.includes("\n"), error.message);
  }
});

Deno.test("loadConfig() names what its options have to be", async () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    ["/kubeconfig", "loadConfig() takes an object with options: received a string"],
    [{ kubeConfig: "/kc" }, 'did you mean "kubeconfig"?'],
    [{ kubeconfig: 1 }, "kubeconfig must be a text: received 1"],
    [{ env: { KUBECONFIG: "/kc" } }, "env"],
    [{ qps: 1 }, 'has no option "qps"'],
  ];
  for (const [options, message] of wrong) {
    await assertRejects(() => loadConfig(options as object), TypeError, message);
  }
});

Deno.test("Client takes what loadConfig() returns, and the options of an ApiServer", async () => {
  await using api = new ApiServer();
  const config = await loadConfig({ server, exec: { ...exec, timeoutMs: 1 } as never });
  new Client(config);
  new Client({ ...config, qps: 5, userAgent: undefined });
  await using client = new Client({ ...api.clientOptions, maxRetries: 0 });
  assertEquals((await client.list(Namespaces)).items.length > 0, true);
  // An instance of a class may have members of its own.
  class Options {
    readonly server = server;
    readonly name = "mine";
    readonly context = "mine, too";
  }
  new Client(new Options());
});
