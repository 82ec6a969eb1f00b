import type { KubernetesMinor } from "../schema/mod.ts";

/** The release that stands for each minor version: the one whose Go types the schemas come from. */
const RELEASES: Readonly<Record<KubernetesMinor, string>> = {
  "1.34": "v1.34.2",
  "1.35": "v1.35.4",
  "1.36": "v1.36.1",
  "1.37": "v1.37.1",
};

/** Returns the release that the server says it is. */
export function releaseOf(minor: KubernetesMinor): string {
  return RELEASES[minor];
}

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
