/** The walks in docs/architecture.md: the files that a change and a create pass, as the stacks of the running code have them. */

import { assertEquals } from "@std/assert";
import { Client, ConfigMaps, Manager, Secrets, SharedInformerFactory } from "../../mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";
import { metaNamespaceKeyFunc } from "../../src/cache/mod.ts";

const CREATE = "A create, from the request to the storage";

const PAGE = new URL("../../docs/architecture.md", import.meta.url);

/** Returns the files of `src` on the current stack, the outermost first. */
function filesOnStack(): string[] {
  const { stack = "" } = new Error();
  return [...stack.matchAll(/\/src\/([\w/]+\.ts)/g)].map(([, file = ""]) => file).reverse()
    .filter((file, index, all) => file !== all[index - 1]);
}

/** Returns the first column of the block of a walk on the page. */
function walkOf(page: string, name: string): string[] {
  const [, block = ""] = new RegExp(`### ${name}\\n\\n\`\`\`text\\n(.*?)\`\`\``, "s").exec(page) ??
    [];
  return block.trim().split("\n").map((line) => line.split(" ")[0] ?? "");
}

Deno.test("the walks on the page are the stacks of the running code", async () => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const walks = new Map<string, string[]>();
  const keep = (name: string) => walks.set(name, filesOnStack());
  try {
    const clock = new VirtualClock();
    await using server = new ApiServer({ clock });
    server.beforeWrite(() => {
      // The first write is the create.
      if (!walks.has(CREATE)) keep(CREATE);
    });
    await using client = new Client({ ...server.clientOptions, clock });
    const stop = new AbortController();
    const factory = new SharedInformerFactory(client);
    factory.informer(ConfigMaps).addIndexers({
      key: (object) => {
        keep("A change, from the stream to the Indexer");
        return [metaNamespaceKeyFunc(object)];
      },
    });
    factory.start({ signal: stop.signal });
    const manager = new Manager(client);
    manager.controller(ConfigMaps)
      .watches(Secrets, {
        map: () => {
          keep("A change, from the stream to a key");
          return { namespace: "default", name: "a" };
        },
      })
      .reconcile(() => void keep("A key, from the queue to its reconcile"));
    const running = manager.run({ signal: stop.signal });
    await clock.run((async () => {
      const call = { namespace: "default" };
      await client.create(ConfigMaps, { metadata: { name: "a" } }, call);
      await client.create(Secrets, { metadata: { name: "a" } }, call);
      await new Promise<void>((resolve) => clock.setTimer(resolve, 5000));
      await client.patch(Secrets, "a", { stringData: { a: "b" } }, call);
      await client.patch(ConfigMaps, "a", { data: { a: "b" } }, call);
      await new Promise<void>((resolve) => clock.setTimer(resolve, 5000));
      stop.abort();
      await running;
      await factory.shutdown();
    })());
  } finally {
    Error.stackTraceLimit = limit;
  }
  const page = await Deno.readTextFile(PAGE);
  assertEquals(walks.size, 4);
  for (const [name, files] of walks) assertEquals(walkOf(page, name), files, name);
});
