/**
 * Builds the real kube-apiserver, etcd, kubectl and resourcequota controller, and a kubelet without containers, once from the
 * `go.mod` in this folder, and keeps them in a cache folder. As a program, it builds all of them.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

const KUBERNETES_VERSION = "v1.35.4";

const LINKER_FLAGS = [
  "-s -w",
  `-X k8s.io/component-base/version.gitVersion=${KUBERNETES_VERSION}`,
  "-X k8s.io/component-base/version.gitMajor=1",
  "-X k8s.io/component-base/version.gitMinor=35",
  `-X k8s.io/client-go/pkg/version.gitVersion=${KUBERNETES_VERSION}`,
].join(" ");

const PACKAGES = {
  etcd: "go.etcd.io/etcd/server/v3",
  kubectl: "k8s.io/kubernetes/cmd/kubectl",
  "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
  kubelet: "./kubelet",
  "quota-controller": "./quota",
} as const;

/** The programs that can be built. */
export type Binary = keyof typeof PACKAGES;

const HERE = new URL(".", import.meta.url);

/** Returns the beginning of a hash. */
async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the cache folder, which depends on go.sum and on the version. */
async function cacheFolder(): Promise<string> {
  const sums = await Deno.readFile(new URL("go.sum", HERE));
  const name = await hashOf(
    new Uint8Array([...sums, ...new TextEncoder().encode(LINKER_FLAGS)]),
  );
  const base = Deno.env.get("KUBELOOP_E2E_CACHE") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/kubeloop-e2e`;
  return `${base}/${name}`;
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
 * Returns the path of a program, and builds the program if it is missing. Reports a build on standard error, because it
 * takes minutes.
 */
export async function binary(name: Binary): Promise<string> {
  const folder = await cacheFolder();
  // The name of a program with its source in this repository contains a hash of the source.
  const mark = PACKAGES[name].startsWith("./")
    ? `-${await hashOf(await Deno.readFile(new URL(`${PACKAGES[name]}/main.go`, HERE)))}`
    : "";
  const path = `${folder}/${name}${mark}`;
  if (await exists(path)) return path;
  await Deno.mkdir(folder, { recursive: true });
  const started = performance.now();
  console.error(`building ${name} ${name === "etcd" ? "" : KUBERNETES_VERSION} (once; minutes) …`);
  // Builds under a temporary name, then renames, so that an interrupted build leaves no file that looks complete.
  const partial = `${path}.partial-${Deno.pid}`;
  const ldflags = name === "etcd" ? "-s -w" : LINKER_FLAGS;
  const { success, stderr } = await new Deno.Command("go", {
    args: ["build", "-trimpath", "-ldflags", ldflags, "-o", partial, PACKAGES[name]],
    cwd: fileURLToPath(HERE),
    env: { CGO_ENABLED: "0" },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) {
    throw new Error(`Cannot build ${name}: ${new TextDecoder().decode(stderr).slice(-2000)}`);
  }
  await Deno.rename(partial, path);
  console.error(`built ${name} in ${Math.round((performance.now() - started) / 1000)} s`);
  return path;
}

if (import.meta.main) {
  for (const name of Object.keys(PACKAGES) as Binary[]) await binary(name);
}
