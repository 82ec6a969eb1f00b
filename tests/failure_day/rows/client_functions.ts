import { assertEquals } from "@std/assert";
import { abortable } from "../../../src/base/mod.ts";
import { loadConfig, type Middleware } from "../../../src/client/mod.ts";
import { ConfigMaps } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { object, prepare, requireColor } from "./_config_maps.ts";
import { echo, object as pod, prepare as preparePod } from "./_pods.ts";
import { NO_FIELD, NO_OBJECT, NO_SERVER, NO_WRITE } from "./_reasons.ts";

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: a
contexts: [{ name: a, context: { cluster: a, namespace: shop } }]
clusters: [{ name: a, cluster: { server: "https://10.0.0.1:6443" } }]
`;

const pass: Middleware = (request, next) => next(request);

// The parser of YAML is loaded when it is first needed, and a virtual clock does not wait for that.
await loadConfig({ env: () => "/k", readFile: () => Promise.resolve(KUBECONFIG) });

/** The functions that users give to a client. */
export const clientFunctions: readonly Row[] = [
  {
    name: "a client with functions of the user",
    covers: [
      "ClientOptions.fetch",
      "ClientOptions.middleware",
      "ClientOptions.warningHandler",
      "Client.use",
      "Client.use(undefined)",
      "Client.observed",
      "Client.close",
      "Client[Symbol.asyncDispose]",
      "ClientObserver.begins",
      "ClientObserver.sends",
      "ClientObserver.ended",
      "ClientObserver.wrote",
    ],
    prepare,
    client: (day) => ({
      fetch: day.user("fetch", async (request: Request) => {
        const response = await day.wire.fetch(request);
        response.headers.append("warning", '299 - "old"');
        return response;
      }),
      middleware: [day.user("middleware", pass)],
      warningHandler: day.user("warningHandler", () => {}),
    }),
    start: async (day) => {
      const { client, signal } = day;
      await using own = client.use(day.user("use()", pass)).observed({
        begins: day.user("begins", () => {}),
        sends: day.user("sends", () => {}),
        ended: day.user("ended", () => {}),
        wrote: day.user("wrote", () => {}),
      });
      return await own.patch(ConfigMaps, "a", { data: { color: "blue" } }, { namespace, signal });
    },
    normal: (_day, found) => requireColor(found, "blue"),
    object,
    not: NO_FIELD,
  },
  {
    name: "a client with the user's WebSockets",
    covers: ["ClientOptions.upgrade"],
    prepare: preparePod,
    programs: [echo],
    client: (day) => ({ upgrade: day.user("upgrade", day.wire.upgrade) }),
    start: async ({ client, signal }) =>
      (await client.exec("a", ["cat"], { namespace, signal, stdin: "x" })).exitCode,
    normal: (_day, exitCode) => assertEquals(exitCode, 3),
    object: pod,
    not: NO_WRITE,
  },
  {
    name: "loadConfig()",
    covers: ["loadConfig", "LoadConfigOptions.env", "LoadConfigOptions.readFile"],
    start: async (day) =>
      (await abortable(
        loadConfig({
          env: day.user("env", (name: string) => name === "KUBECONFIG" ? "/kubeconfig" : undefined),
          readFile: day.user("readFile", () => Promise.resolve(KUBECONFIG)),
        }),
        day.signal,
      )).namespace,
    normal: (_day, found) => assertEquals(found, "shop"),
    not: { ...NO_SERVER, ...NO_OBJECT, abort: "takes no signal, and waits for the user's file" },
  },
];
