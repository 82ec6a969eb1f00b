import { ApiServer } from "@kubeloop/testing";
import { seeCluster } from "@kubeloop/testing/see";
import { silentLogger } from "@kubeloop/controller/base";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { runServe } from "../../../src/testing/serve/run_serve.ts";

async function get(url: string, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(new URL(path, url), { headers });
  return { status: response.status, text: await response.text() };
}

function tokenOf(url: string): string {
  return new URL(url).searchParams.get("token") ?? "";
}

Deno.test("seeCluster() serves the objects of a server to readers with the token, until it is disposed", async () => {
  await using server = new ApiServer({ logger: silentLogger });
  const page = await seeCluster(server, { title: "a test" });
  await server.fetch("http://cluster/api/v1/namespaces/default/configmaps", {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "kubectl/v1" },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  assertEquals((await get(page.url, "/see/keys")).status, 401);
  const token = tokenOf(page.url);
  const { keys } = JSON.parse((await get(page.url, "/see/keys?limit=1", token)).text);
  assertEquals(keys.map(({ key }: { key: string }) => key), ["default/a"]);
  const { text } = await get(page.url, "/see/stories?controller=configmaps&key=default%2Fa", token);
  assertStringIncludes(text, '"by":"kubectl"');
  await page[Symbol.asyncDispose]();
  await assertRejects(() => fetch(page.url));
});

Deno.test("serve --see prints the URL of the page to standard error, and stops it at the end", async () => {
  const stop = new AbortController();
  const [printed, warned]: [string[], string[]] = [[], []];
  const { promise: shown, resolve } = Promise.withResolvers<string>();
  const finished = runServe(["--port", "0", "--see"], {
    print: (text) => printed.push(text),
    warn: (text) => {
      warned.push(text);
      const url = /^See what its clients do: (.*)$/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    },
    signal: stop.signal,
  });
  const url = await shown;
  assertEquals(printed.join("\n").includes("token="), false);
  const page = await get(url, new URL(url).search);
  assertEquals(page.status, 200);
  assertStringIncludes(page.text, "<html");
  const { total } = JSON.parse((await get(url, "/see/keys?limit=1", tokenOf(url))).text);
  assertEquals(total > 100, true);
  stop.abort();
  assertEquals(await finished, 0);
  assertEquals(warned.length, 2);
  await assertRejects(() => fetch(url));
});

Deno.test("seeCluster() names a wrong server and a wrong option", async () => {
  await using server = new ApiServer({ logger: silentLogger });
  const wrong: [server: unknown, options: unknown, named: string][] = [
    [undefined, {}, "server"],
    [{}, {}, "onRequest"],
    [server, { title: 5 }, "title"],
    [server, { tokens: "x" }, "tokens"],
    [server, { port: -1 }, "port"],
    [server, { port: "80" }, "port"],
    [server, { token: "short" }, "token"],
  ];
  for (const [one, options, named] of wrong) {
    const error = await assertRejects(() => seeCluster(one as never, options as never), Error);
    assertStringIncludes(error.message, named);
    assertEquals(error.message.includes("short"), false);
  }
  assertEquals(server.watches(), []);
});
