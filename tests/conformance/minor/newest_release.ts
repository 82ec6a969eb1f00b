import { moduleVersions } from "../../e2e/go_module.ts";

/**
 * Returns the newest release of a minor version that Go can download. Without a release, that is an alpha or beta.
 *
 * @throws {RangeError} If there is none at all.
 */
export async function newestRelease(minor: string): Promise<string> {
  const found = newestOf(await moduleVersions("k8s.io/kubernetes"), minor);
  if (found === undefined) {
    throw new RangeError(`Go has no k8s.io/kubernetes of ${minor}; name one by --release`);
  }
  return found;
}

/** Returns the newest of `versions`, which are in order, of a minor version. */
export function newestOf(versions: readonly string[], minor: string): string | undefined {
  const own = versions.filter((version) => version.startsWith(`v${minor}.`));
  return own.findLast((version) => !version.includes("-")) ?? own.at(-1);
}
