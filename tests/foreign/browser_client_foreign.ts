/**
 * A page in a real browser lists and watches Pods by a `Client`, through a real `kubectl proxy`.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { Client, Pods } from "../../mod.ts";
import { ADMIN_TOKEN } from "../e2e/cluster.ts";
import { run } from "../package/_tools.ts";
import { Browser, browserMissing } from "./browser.ts";
import { hasGo, Kubectl } from "./kubectl.ts";
import { OurServer } from "./our_server.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/browser/", import.meta.url));
const BUNDLER = fileURLToPath(new URL("../package/_browser_bundle.ts", import.meta.url));

/** A page's text, as it reports it after each change. */
class Reports implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #waiting = new Map<string, () => void>();
  #text = "";

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        this.#text = await request.text();
        this.#waiting.get(this.#text)?.();
        return new Response("", { headers: { connection: "close" } });
      },
    );
  }

  /** A script that reports what the page shows. */
  get script(): string {
    const url = `http://127.0.0.1:${this.#server.addr.port}/`;
    return `<script>
      const report = () => fetch("${url}", {
        method: "POST",
        mode: "no-cors",
        body: [...document.querySelectorAll("#problem, li")].map((one) => one.textContent).join("|"),
      });
      new MutationObserver(report).observe(document, { childList: true, subtree: true });
    </script>`;
  }

  /** Resolves when the page shows the lines. */
  async until(...lines: string[]): Promise<void> {
    const text = ["", ...lines].join("|");
    if (this.#text === text) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(text, resolve);
    const timer = setTimeout(() => reject(new Error(`the page shows ${this.#text}`)), 30_000);
    await promise.finally(() => clearTimeout(timer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Bundles the example into a folder, with a page that reports. Returns the modules of Node that the page loads. */
async function build(folder: string, script: string): Promise<readonly string[]> {
  const flags = ["--allow-read", "--allow-write", "--allow-env", "--allow-run"];
  const command = [Deno.execPath(), "run", "--quiet", ...flags, BUNDLER];
  const output = await run([...command, `${EXAMPLE}pods.js`, folder, "sources"]);
  const page = await Deno.readTextFile(`${EXAMPLE}index.html`);
  await Deno.writeTextFile(
    `${folder}/index.html`,
    page.replace("<head>", `<head>${script}`).replace("bundle.js", "pods.js"),
  );
  return JSON.parse(output).loadedNodeModules;
}

Deno.test("a page in a real browser lists and watches through kubectl proxy", async () => {
  const missing = await browserMissing();
  if (missing !== undefined) {
    return console.log(`a client in a real browser: skipped, ${missing}`);
  }
  if (!await hasGo("a client in a real browser")) return;
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-page-" });
  try {
    await using reports = new Reports();
    assertEquals(await build(folder, reports.script), []);
    await using ours = await OurServer.start({ tls: true });
    await using client = new Client({ ...ours.server.clientOptions, token: ADMIN_TOKEN });
    await using kubectl = await Kubectl.create(ours.kubeconfig);
    const create = (name: string) =>
      client.create(Pods, {
        metadata: { name, namespace: "default" },
        spec: { containers: [{ name: "main", image: "nginx" }] },
      });
    await create("first");
    const proxy = kubectl.start(["proxy", "--port=0", `--www=${folder}`]);
    const listening = /Starting to serve on (\S+)/;
    await proxy.until(() => listening.test(proxy.stdout));
    const [, address] = listening.exec(proxy.stdout) ?? [];
    {
      await using _browser = await Browser.open(`http://${address}/static/`);
      await reports.until("default/first Pending");
      await create("second");
      await reports.until("default/first Pending", "default/second Pending");
      await client.patchStatus(Pods, "first", { status: { phase: "Running" } }, {
        namespace: "default",
      });
      await reports.until("default/first Running", "default/second Pending");
      await client.delete(Pods, "second", { namespace: "default", gracePeriodSeconds: 0 });
      await reports.until("default/first Running");
    }
    proxy.interrupt();
    await proxy.output;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
