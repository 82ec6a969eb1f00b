import type { Release } from "../release/mod.ts";

/** Returns the answer to `/version`, as the real API server of that version gives it. */
export function versionText({ minor, version }: Release): string {
  const [major, number] = minor.split(".");
  return JSON.stringify({
    major,
    minor: number,
    emulationMajor: major,
    emulationMinor: number,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(number) - 1),
    gitVersion: version,
    gitCommit: "gomodule",
    gitTreeState: "clean",
    buildDate: "2026-01-01T00:00:00Z",
    goVersion: "go1.26.8",
    compiler: "gc",
    platform: "linux/amd64",
  });
}
