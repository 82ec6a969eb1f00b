/**
 * Returns the newest release of a minor version that Go can download; an alpha or beta if there is no release.
 *
 * @throws {RangeError} If there is none at all.
 */
export async function newestRelease(minor: string): Promise<string> {
  const { stdout } = await new Deno.Command("go", {
    args: ["list", "-m", "-versions", "k8s.io/kubernetes"],
    cwd: await Deno.makeTempDir(),
    env: { GOFLAGS: "-mod=mod", GOWORK: "off" },
    stderr: "null",
  }).output();
  const [, ...versions] = new TextDecoder().decode(stdout).trim().split(/\s+/);
  const found = newestOf(versions, minor);
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
