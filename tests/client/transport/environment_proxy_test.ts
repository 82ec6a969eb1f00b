import { assertEquals, assertThrows } from "@std/assert";
import { Client, loadConfig } from "../../../src/client/mod.ts";
import { SpiedWorld } from "../../support/spy_proxy.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

testOn(
  ["deno"],
  "starts a program of Deno",
  "Client keeps plain http away from proxies in the environment",
  async () => {
    await using world = await SpiedWorld.start();
    const program = new URL("../../package/consumer/all_requests.ts", import.meta.url);
    for (const env of world.environments) {
      world.requests.length = 0;
      const { host } = new URL(world.server);
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-lock", "--no-check", `--allow-net=${host}`, program.href, world.server],
        // Otherwise, Deno may ask for its newest version, through the proxy.
        env: { ...env, DENO_NO_UPDATE_CHECK: "1" },
      }).output();
      const text = new TextDecoder();
      assertEquals(text.decode(stdout), "done\n", text.decode(stderr));
      assertEquals([world.overheard, world.requests.length], [[], 4]);
    }
  },
);

const REMOTE = [
  "http://10.0.0.1:8001",
  "http://a.localhost",
  "http://localhost.example",
  "http://localhost.",
  "http://127.0.0.1.example",
  "http://0.0.0.0",
  "http://[::]",
  "http://[::ffff:10.0.0.1]",
  "http://128.0.0.1",
];

const LOCAL = [
  "http://127.0.0.1",
  "http://127.255.0.3:1",
  "http://127.1",
  "http://0x7f.1",
  "http://2130706433",
  "http://0177.0.0.1",
  "http://[::1]:1",
  "http://[0:0:0:0:0:0:0:1]",
  "http://[::ffff:127.0.0.1]",
  "http://LOCALHOST",
];

const CREDENTIALS = {
  "token": { token: "s3cr3t" },
  "token file": { tokenFile: "/t" },
  "password": { username: "me", password: "s3cr3t" },
  "plugin": { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "login" } },
} as const;

for (const [what, credentials] of Object.entries(CREDENTIALS)) {
  Deno.test(`Client sends no ${what} over plain http to another machine, whatever it is called`, () => {
    for (const server of REMOTE) {
      assertThrows(() => new Client({ server, ...credentials }), TypeError, "unencrypted");
      // Also where it does not make the connections itself.
      const fetch = () => Promise.reject(new Error("Not reached"));
      assertThrows(() => new Client({ server, fetch, ...credentials }), TypeError, "unencrypted");
      new Client({ server, allowInsecureToken: true, ...credentials });
      new Client({ server: server.replace("http:", "https:"), ...credentials });
    }
    for (const server of LOCAL) new Client({ server, ...credentials });
  });

  Deno.test(`Client sends no ${what} for plain http through a proxy, wherever it is`, () => {
    for (const server of LOCAL) {
      for (const proxy of [...REMOTE, ...LOCAL]) {
        for (const proxyUrl of [proxy, proxy.replace("http:", "https:")]) {
          const options = { server, proxyUrl, ...credentials };
          const words = `through the proxy ${new URL(proxyUrl).origin} (proxyUrl)`;
          assertThrows(() => new Client(options), TypeError, words);
          new Client({ ...options, allowInsecureToken: true });
          new Client({ ...options, server: server.replace("http:", "https:") });
        }
      }
      new Client({ server, proxyUrl: "http://10.0.0.1:3128" });
    }
  });
}

Deno.test("loadConfig() names the proxy-url that would get a token, without its password", async () => {
  const kubeconfig = JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{
      name: "c",
      cluster: { server: "http://127.0.0.1:1", "proxy-url": "http://me:pa55@proxy.example:3128" },
    }],
    users: [{ name: "u", user: { token: "s3cr3t" } }],
  });
  const error = await loadConfig({ kubeconfig: "/kc", readFile: () => Promise.resolve(kubeconfig) })
    .then(() => new Error("none"), (error: Error) => error);
  assertEquals(
    error.message,
    'Refusing to send a token for http://127.0.0.1:1 unencrypted through the proxy http://proxy.example:3128 (proxy-url of cluster "c" in kubeconfig "/kc"): use https, leave out the proxy, or set allowInsecureToken if the network is safe',
  );
});
