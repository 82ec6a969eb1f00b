/**
 * Builds the programs of a release of Kubernetes once, from Go modules, and keeps them in a cache folder: kube-apiserver,
 * etcd, kubectl, kube-controller-manager, the resourcequota controller, a kubelet without containers, and a reader of YAML. As a program,
 * it builds what the tests need.
 *
 * @module
 */

import { writeGoModule } from "./go_module.ts";
import { chosenMinor, DEFAULT_MINOR, RELEASES } from "./minors.ts";

const PACKAGES = {
  etcd: "go.etcd.io/etcd/server/v3",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
  "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
  kubelet: "./kubelet",
  "quota-controller": "./quota",
  yaml: "./yaml",
} as const;

/** The programs that can be built. */
export type Binary = keyof typeof PACKAGES;

/** The programs that the tests need. */
const NEEDED: readonly Binary[] = [
  "etcd",
  "kubectl",
  "kube-apiserver",
  "kubelet",
  "quota-controller",
];

const HERE = new URL(".", import.meta.url);

/** Returns the linker flags that make a program say its release. */
function linkerFlags(release: string): string {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(release)!;
  return [
    "-s -w",
    `-X k8s.io/component-base/version.gitVersion=${release}`,
    `-X k8s.io/component-base/version.gitMajor=${major}`,
    `-X k8s.io/component-base/version.gitMinor=${minor}`,
    `-X k8s.io/client-go/pkg/version.gitVersion=${release}`,
  ].join(" ");
}

/** Returns the beginning of a hash. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the cache folder of a release. */
function cacheFolder(release: string): string {
  const base = Deno.env.get("KUBELOOP_E2E_CACHE") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/kubeloop-e2e`;
  return `${base}/${release}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Returns the path of a program of a minor version, and builds the program if it is missing. Reports a build on standard
 * error, because it takes minutes. Programs with their source in this repository are built with the default version.
 */
export async function binary(name: Binary, minor: string = chosenMinor()): Promise<string> {
  const isOwn = PACKAGES[name].startsWith("./");
  const release = RELEASES[isOwn ? DEFAULT_MINOR : minor]!;
  const folder = cacheFolder(release);
  // The name of a program with its source in this repository contains a hash of the source.
  const mark = isOwn
    ? `-${await hashOf(await Deno.readFile(new URL(`${PACKAGES[name]}/main.go`, HERE)))}`
    : "";
  const path = `${folder}/${name}${mark}`;
  if (await exists(path)) return path;
  const module = `${folder}/module-${Deno.pid}`;
  await writeGoModule(module, release);
  const started = performance.now();
  console.error(`building ${name} of ${release} (once; minutes) …`);
  // Builds under a temporary name, then renames, so that an interrupted build leaves no file that looks complete.
  const partial = `${path}.partial-${Deno.pid}`;
  const flags = ["-mod=mod", "-trimpath", "-ldflags", linkerFlags(release)];
  const { success, stderr } = await new Deno.Command("go", {
    args: ["build", ...flags, "-o", partial, PACKAGES[name]],
    cwd: module,
    env: { CGO_ENABLED: "0", GOWORK: "off" },
    stdout: "null",
    stderr: "piped",
  }).output();
  await Deno.remove(module, { recursive: true });
  if (!success) {
    const text = new TextDecoder().decode(stderr).slice(-2000);
    throw new Error(`Cannot build ${name} of ${release}: ${text}`);
  }
  await Deno.rename(partial, path);
  console.error(`built ${name} in ${Math.round((performance.now() - started) / 1000)} s`);
  return path;
}

if (import.meta.main) {
  for (const name of NEEDED) await binary(name);
}
