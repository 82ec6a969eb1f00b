import { stringifyJson } from "@kubeloop/controller/internal/base";
import { mayWrite, readVariable } from "./environment.ts";
import type { Report } from "./report.ts";

/** The variable of the environment with the folder of reports. */
const REPORTS = "KUBELOOP_REPORTS";

/**
 * Writes a report to `folder`, as a page and as JSON. Default: the folder in the variable `KUBELOOP_REPORTS` of the
 * environment, if it is set and may be written to.
 *
 * @throws If `folder` was given and cannot be written to.
 */
export async function writeReport(report: Report, folder: string | undefined): Promise<void> {
  const target = folder ?? permittedFolder();
  if (target === undefined) return;
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(target, { recursive: true });
  const path = `${target}/${fileName(report.simulation ?? "simulation")}`;
  await writeFile(`${path}.html`, report.toHtml());
  await writeFile(`${path}.json`, `${stringifyJson(report, { indent: 2 })}\n`);
}

function permittedFolder(): string | undefined {
  const folder = readVariable(REPORTS);
  return folder !== undefined && mayWrite(folder) ? folder : undefined;
}

/** Returns a name without what means something in a path. */
function fileName(name: string): string {
  const safe = name.replaceAll(/[^\w.-]+/g, "-").replace(/^\.+/, "");
  return safe === "" ? "simulation" : safe.slice(0, 100);
}
