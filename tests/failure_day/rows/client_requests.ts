import { assert, assertEquals } from "@std/assert";
import {
  type Client,
  deleted,
  ListPager,
  retryOnConflict,
  retryOnError,
} from "../../../src/client/mod.ts";
import {
  type ConfigMap,
  ConfigMaps,
  type KubeList,
  Pods,
  type Stored,
} from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { object, prepare, requireColor } from "./_config_maps.ts";
import { NO_FIELD, NO_FUNCTION, NO_OBJECT, NO_WRITE } from "./_reasons.ts";

const reads = { ...NO_FUNCTION, ...NO_WRITE };
const writes = { ...NO_FUNCTION, ...NO_FIELD };
const blue = { data: { color: "blue" } };
const wait = { namespace, timeoutMs: 300_000 };
const named = { metadata: { name: "a", namespace } };

function requireNames(list: unknown, names: string[]): void {
  assertEquals((list as KubeList).items.map(({ metadata }) => metadata?.name), names);
}

/** A call that writes the color of the ConfigMap `a`. */
function write(
  name: string,
  start: (client: Client, call: { readonly signal: AbortSignal }) => Promise<unknown>,
): Row {
  return {
    name: `Client.${name}()`,
    covers: [`Client.${name}`],
    prepare,
    start: ({ client, signal }) => start(client, { signal }),
    normal: ({ server }, result) => {
      requireColor(result, "blue");
      requireColor(server.get(ConfigMaps, "a", namespace), "blue");
    },
    object,
    not: writes,
  };
}

/** The calls of a client that make requests for objects. */
export const clientRequests: readonly Row[] = [
  {
    name: "Client.get()",
    covers: ["Client.get"],
    prepare,
    start: ({ client, signal }) => client.get(ConfigMaps, "a", { namespace, signal }),
    normal: (_day, found) => requireColor(found, "red"),
    object,
    not: reads,
  },
  {
    name: "Client.list()",
    covers: ["Client.list"],
    prepare,
    start: ({ client, signal }) => client.list(ConfigMaps, { namespace, signal, pageSize: 1 }),
    normal: (_day, list) => requireNames(list, ["a", "b", "c"]),
    object,
    not: reads,
  },
  {
    name: "Client.eachListItem()",
    covers: ["Client.eachListItem", "Client.eachListItem(fn)"],
    prepare,
    start: async (day) => {
      const names: string[] = [];
      const note = day.user(
        "fn",
        async ({ metadata }: Stored<ConfigMap>) => void names.push(await metadata.name),
      );
      const { client, signal } = day;
      await client.eachListItem(ConfigMaps, note, { namespace, signal, pageSize: 2 });
      return names;
    },
    normal: (_day, names) => assertEquals(names, ["a", "b", "c"]),
    object,
    not: NO_WRITE,
  },
  {
    name: "ListPager",
    covers: [
      "ListPager.list",
      "ListPager.eachPage",
      "ListPager.eachPage(fn)",
      "ListPager.eachListItem",
      "ListPager.eachListItem(fn)",
      "PagedCall.afterPage",
      "new ListPager(pageFn)",
    ],
    prepare,
    start: async (day) => {
      const { client, signal } = day;
      const pager = new ListPager<Stored<ConfigMap>>(
        day.user(
          "pageFn",
          (options, call) =>
            client.list(ConfigMaps, { ...options, namespace, signal: call?.signal ?? signal }),
        ),
        { pageSize: 2 },
      );
      const afterPage = day.user("afterPage", () => Promise.resolve());
      const { list } = await pager.list({}, { signal, afterPage });
      const names: string[] = [];
      await pager.eachPage(
        {},
        day.user("fn of eachPage", async ({ items }) => {
          names.push(`page of ${await items.length}`);
        }),
        { signal },
      );
      await pager.eachListItem(
        {},
        day.user("fn of eachListItem", async ({ metadata }) => {
          names.push(await metadata.name);
        }),
        { signal },
      );
      return [list.items.length, ...names];
    },
    normal: (_day, seen) => assertEquals(seen, [3, "page of 2", "page of 1", "a", "b", "c"]),
    object,
    not: NO_WRITE,
  },
  {
    name: "Client.create()",
    covers: ["Client.create"],
    start: ({ client, signal }) => client.create(ConfigMaps, { ...named, ...blue }, { signal }),
    normal: (_day, made) => requireColor(made, "blue"),
    not: { ...writes, ...NO_OBJECT },
  },
  write("update", (client, call) => client.update(ConfigMaps, { ...named, ...blue }, call)),
  write(
    "patch",
    (client, call) => client.patch(ConfigMaps, "a", blue, { namespace, ...call }),
  ),
  write(
    "apply",
    (client, call) =>
      client.apply(ConfigMaps, { ...named, ...blue }, { fieldManager: "m", force: true, ...call }),
  ),
  {
    name: "Client.updateStatus() and patchStatus()",
    covers: ["Client.updateStatus", "Client.patchStatus"],
    prepare: async (client) => {
      await client.create(Pods, {
        ...named,
        spec: { containers: [{ name: "a", image: "a" }] },
      });
    },
    start: async ({ client, signal }) => {
      const patch = { status: { message: "m" } };
      const pod = await client.patchStatus(Pods, "a", patch, { namespace, signal });
      const status = { ...pod.status, reason: "r" };
      return await client.updateStatus(Pods, { ...pod, status } as never, { signal });
    },
    normal: (_day, pod) => {
      const { message, reason } = (pod as { status: Record<string, string> }).status;
      assertEquals([message, reason], ["m", "r"]);
    },
    object: { resource: Pods, name: "a" },
    not: writes,
  },
  {
    name: "Client.delete()",
    covers: ["Client.delete"],
    prepare,
    start: ({ client, signal }) => client.delete(ConfigMaps, "a", { namespace, signal }),
    normal: ({ server }) => assertEquals(server.get(ConfigMaps, "a", namespace), undefined),
    object,
    not: { ...writes, recreated: "deletes by name what is there, as it is told" },
  },
  {
    name: "Client.deleteCollection()",
    covers: ["Client.deleteCollection"],
    prepare,
    start: ({ client, signal }) =>
      client.deleteCollection(ConfigMaps, { namespace, labelSelector: "app=a", signal }),
    normal: ({ server }) => assertEquals(server.get(ConfigMaps, "a", namespace), undefined),
    object,
    not: { ...writes, recreated: "deletes by name what is there, as it is told" },
  },
  {
    name: "Client.getRaw()",
    covers: ["Client.getRaw"],
    prepare,
    start: ({ client, signal }) =>
      client.getRaw(`/api/v1/namespaces/${namespace}/configmaps/a`, { signal }),
    // The beginning of the text, if the server has ended the answer too early: only its reader can see that.
    normal: (_day, text) => assert((text as string).startsWith('{"kind":"ConfigMap"')),
    object,
    not: reads,
  },
  {
    name: "Client.resourceFor(), resourcesFor() and resources()",
    covers: ["Client.resourceFor", "Client.resourcesFor", "Client.resources"],
    start: async ({ client, signal }) => [
      (await client.resourceFor("cm", { signal })).plural,
      (await client.resourcesFor("deploy", { signal })).map(({ plural }) => plural),
      (await client.resources({ signal })).length > 20,
    ],
    normal: (_day, found) => assertEquals(found, ["configmaps", ["deployments"], true]),
    not: { ...reads, ...NO_OBJECT },
  },
  {
    name: "Client.waitFor()",
    covers: ["Client.waitFor", "Client.waitFor(predicate)"],
    prepare,
    start: async (day) => {
      const { client, signal, time, admin } = day;
      const paint = () => void admin.patch(ConfigMaps, "a", blue, { namespace }).catch(() => {});
      // Several times: the watch that waits for it may have been cut.
      for (const ms of [1_000, 200_000]) time.setTimer(paint, ms);
      const isBlue = day.user("predicate", (map?: ConfigMap) => map?.data?.color === "blue");
      return await client.waitFor(ConfigMaps, "a", isBlue, { ...wait, signal });
    },
    normal: (_day, found) => requireColor(found, "blue"),
    limitMs: 320_000,
    object,
    not: NO_WRITE,
  },
  {
    name: "Client.waitFor() with deleted()",
    covers: [],
    prepare,
    start: async (day) => {
      const { client, signal, time, admin } = day;
      const remove = () => void admin.delete(ConfigMaps, "a", { namespace }).catch(() => {});
      for (const ms of [1_000, 200_000]) time.setTimer(remove, ms);
      return await client.waitFor(ConfigMaps, "a", deleted(), { ...wait, signal }) === undefined;
    },
    normal: (_day, isGone) => assert(isGone),
    limitMs: 320_000,
    object,
    not: reads,
  },
  {
    name: "retryOnConflict() and retryOnError()",
    covers: [
      "retryOnConflict",
      "retryOnConflict(fn)",
      "retryOnError",
      "retryOnError(fn)",
      "retryOnError(retriable)",
    ],
    prepare,
    start: async (day) => {
      const { client, clock, random, signal } = day;
      const call = { clock, random, signal };
      let tries = 0;
      const painted = await retryOnConflict(
        day.user("fn of retryOnConflict", async () => {
          const map = await client.get(ConfigMaps, "a", { namespace, signal });
          if (tries++ === 0) {
            await day.admin.patch(ConfigMaps, "a", { data: { x: "" } }, { namespace });
          }
          return await client.update(ConfigMaps, { ...map, ...blue } as ConfigMap, { signal });
        }),
        call,
      );
      await retryOnError(
        day.user("retriable", () => true),
        day.user("fn of retryOnError", async () => {
          if (await tries++ < 4) throw new Error("not yet");
        }),
        call,
      );
      return painted;
    },
    normal: (_day, found) => requireColor(found, "blue"),
    // The pause between two tries does not end with the client.
    noticesMs: 100,
    object,
    not: NO_FIELD,
  },
];
