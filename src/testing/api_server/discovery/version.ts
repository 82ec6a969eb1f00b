import { type KubernetesMinor, releaseOf } from "../schema/mod.ts";

/** Returns the answer to `/version`, as the real API server of that version gives it. */
export function versionText(minor: KubernetesMinor): string {
  const [major, number] = minor.split(".");
  return JSON.stringify({
    major,
    minor: number,
    emulationMajor: major,
    emulationMinor: number,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(number) - 1),
    gitVersion: releaseOf(minor),
    gitCommit: "gomodule",
    gitTreeState: "clean",
    buildDate: "2026-01-01T00:00:00Z",
    goVersion: "go1.26.8",
    compiler: "gc",
    platform: "linux/amd64",
  });
}
