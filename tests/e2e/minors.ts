/** The minor versions of Kubernetes that kubeloop knows: `tools/minors.json`, the one table of them. */

import table from "../../tools/minors.json" with { type: "json" };

/** The release of each minor version, the oldest first. */
export const RELEASES: Readonly<Record<string, string>> = table.releases;

/** The minor version whose recordings are whole, and which `serve` serves. */
export const DEFAULT_MINOR: string = table.default;

/** The environment variable that chooses another minor version for the tests against a real server. */
const CHOSEN = "KUBELOOP_E2E_KUBERNETES";

/**
 * Returns the minor version of the real server: that of `KUBELOOP_E2E_KUBERNETES`, or the default.
 *
 * @throws {RangeError} If the table does not have it.
 */
export function chosenMinor(): string {
  const minor = Deno.env.get(CHOSEN) ?? DEFAULT_MINOR;
  if (!Object.hasOwn(RELEASES, minor)) {
    throw new RangeError(
      `${CHOSEN} must be one of ${Object.keys(RELEASES).join(", ")}: received "${minor}"`,
    );
  }
  return minor;
}
