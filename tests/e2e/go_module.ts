/**
 * The Go module in which the programs of one release of Kubernetes are built.
 *
 * @module
 */

/** The Go sources of this repository, which are built against a release. */
export const OWN_SOURCES = ["kubelet", "quota", "yaml"] as const;

const SOURCES = new URL("./", import.meta.url);

/**
 * Writes the module into `folder`, which is empty or has the same module. It requires what
 * k8s.io/kubernetes requires, with the same sums. That module replaces the staging modules by folders of its own, and the replacements of a
 * dependency do not count, so they are repeated here against the published modules.
 *
 * @throws {Error} If go cannot download the release.
 */
export async function writeGoModule(folder: string, release: string): Promise<void> {
  const source = await downloadModule("k8s.io/kubernetes", release);
  const text = await Deno.readTextFile(`${source}/go.mod`);
  const staged = release.replace(/^v1/, "v0");
  const required = [...text.matchAll(/^\s+(\S+ v\S+)(?: \/\/ indirect)?$/gm)]
    .map(([, module]) => module!)
    .filter((module) => !module.startsWith("k8s.io/") || !module.endsWith(" v0.0.0"));
  const replaced = [...text.matchAll(/^\s+(k8s\.io\/\S+) => \.\/staging\//gm)]
    .map(([, module]) => `${module} => ${module} ${staged}`);
  const [, go = "1.25.0"] = /^go (\S+)$/m.exec(text) ?? [];
  const lines = [
    "module kubeloop.test/e2e",
    `go ${go}`,
    `require k8s.io/kubernetes ${release}`,
    ...required.map((module) => `require ${module}`),
    ...replaced.map((replacement) => `replace ${replacement}`),
  ];
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/go.mod`, `${lines.join("\n")}\n`);
  await Deno.copyFile(`${source}/go.sum`, `${folder}/go.sum`);
  await Deno.chmod(`${folder}/go.sum`, 0o644);
  for (const name of OWN_SOURCES) {
    await Deno.mkdir(`${folder}/${name}`, { recursive: true });
    await Deno.copyFile(new URL(`${name}/main.go`, SOURCES), `${folder}/${name}/main.go`);
  }
}

/** Downloads a module unless Go has it in its cache, and returns its folder. */
export async function downloadModule(module: string, version: string): Promise<string> {
  const printed = await goMod("mod", "download", "-json", `${module}@${version}`);
  const { Dir, Error: reason } = JSON.parse(printed || "{}");
  if (Dir === undefined) throw new Error(`Cannot download ${module} ${version}: ${reason}`);
  return Dir;
}

/** Returns the versions of a module that Go can download, the oldest first. */
export async function moduleVersions(module: string): Promise<readonly string[]> {
  const [, ...versions] = (await goMod("list", "-m", "-versions", module)).trim().split(/\s+/);
  return versions;
}

/** Runs a command of go outside of any module, and returns its output. */
async function goMod(...args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command("go", {
    args: [...args],
    env: { GOWORK: "off", GOFLAGS: "-mod=mod" },
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}
