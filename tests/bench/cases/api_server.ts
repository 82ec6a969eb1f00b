import type { Case } from "./case.ts";

/** The in-process API server, compared with the real one if Go is installed to build that. */
export const apiServer: Case = {
  name: "api-server",
  title: ({ count }) =>
    `API server with ${
      count.toLocaleString("en")
    } objects of 1 KiB, one client, 16 requests at a time`,
  figures: [
    { name: "listMs", title: "list, in pages", unit: "ms" },
    { name: "readyMs", title: "ready", unit: "ms" },
    { name: "createPerS", title: "create", unit: "/s" },
    { name: "getPerS", title: "get", unit: "/s" },
    { name: "patchPerS", title: "patch", unit: "/s" },
    { name: "fanOutPerS", title: "events to 1,000 watches", unit: "/s" },
    { name: "objectKib", title: "RSS per object", unit: "KiB" },
    { name: "residentMiB", title: "RSS", unit: "MiB" },
  ],
  clients: ["kubeloop-server", "kube-apiserver"],
  runtimes: ["deno"],
  size: { pods: 0, count: 5_000 },
  quickSize: { pods: 0, count: 1_000 },
  runs: 3,
  timeoutMs: 15 * 60_000,
  async measure({ client, size }) {
    // Imported here, because the module uses Deno APIs.
    const { measureApiServer } = await import("../api_server/measure.ts");
    return await measureApiServer(client, size.count);
  },
};
