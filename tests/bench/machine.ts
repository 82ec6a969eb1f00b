import os from "node:os";
import type { Facts } from "./results.ts";

/** Returns the facts that matter for results from this machine, without anything that identifies it. */
export function facts(versions: Readonly<Record<string, string>>): Facts {
  const cores = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    os: `${os.type()} ${os.arch()}`,
    versions,
  };
}
