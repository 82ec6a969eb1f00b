/** The version of the real API server that this one imitates. */
export const VERSION = "v1.35.4";

/** The answer to `/version`, as the real API server of that version gives it. */
export const VERSION_TEXT: string = JSON.stringify({
  major: "1",
  minor: "35",
  emulationMajor: "1",
  emulationMinor: "35",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "34",
  gitVersion: VERSION,
  gitCommit: "gomodule",
  gitTreeState: "clean",
  buildDate: "2026-01-01T00:00:00Z",
  goVersion: "go1.26.8",
  compiler: "gc",
  platform: "linux/amd64",
});
