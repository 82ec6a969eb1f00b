import { PACKAGE } from "../clients/client_node.ts";
import { cpuMs, residentMiB } from "../inside/process_facts.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The modules by name: with literals in `import()`, runtimes might load them in advance. */
const MODULES: Readonly<Record<string, string>> = {
  "kubeloop": "@kubeloop/controller",
  "client-node": PACKAGE,
};

/** The cost of importing the library, in a process that has loaded nothing else. */
export const importing: Case = {
  name: "import",
  title: () => "Import",
  figures: [
    { name: "wallMs", title: "time", unit: "ms" },
    { name: "cpuMs", title: "CPU", unit: "ms" },
    { name: "residentMiB", title: "RSS", unit: "+MiB" },
  ],
  clients: Object.keys(MODULES),
  size: { pods: 0, count: 1 },
  measure,
};

async function measure({ client }: Run): Promise<Measured> {
  const residentBefore = residentMiB();
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  await import(MODULES[client] ?? client);
  return {
    wallMs: performance.now() - startedAt,
    cpuMs: cpuMs() - cpuBefore,
    residentMiB: residentMiB() - residentBefore,
  };
}
