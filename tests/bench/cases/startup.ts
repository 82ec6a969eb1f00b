import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Case, Measured, Run } from "./case.ts";

/** How often each start is measured. The median counts. */
const STARTS = 5;

const SCRIPT = fileURLToPath(new URL("../inside/first_event.ts", import.meta.url));

/** A script from its start to the first event of an informer: with the caches of the runtime empty, then filled. */
export const startup: Case = {
  name: "startup",
  title: () => "From the start of a script to its first event",
  figures: [
    { name: "warmMs", title: "warm", unit: "ms" },
    { name: "warmCpuMs", title: "CPU", unit: "ms" },
    { name: "coldMs", title: "cold", unit: "ms" },
    { name: "coldCpuMs", title: "CPU", unit: "ms" },
  ],
  clients: ["floor", "kubeloop", "client-node", "client-go-json"],
  size: { pods: 1, count: 1 },
  measure,
};

async function measure(run: Run): Promise<Measured> {
  const folder = await mkdtemp(`${tmpdir()}/kubeloop-bench-startup-`);
  try {
    const start = (caches: string) => startOnce(run, caches);
    const cold: Start[] = [];
    for (let i = 0; i < STARTS; i++) cold.push(await start(await emptyCaches(`${folder}/${i}`)));
    const caches = `${folder}/0`;
    const warm: Start[] = [];
    for (let i = 0; i < STARTS; i++) warm.push(await start(caches));
    return {
      warmMs: median(warm.map(({ wallMs }) => wallMs)),
      warmCpuMs: median(warm.map(({ cpuMs }) => cpuMs)),
      coldMs: median(cold.map(({ wallMs }) => wallMs)),
      coldCpuMs: median(cold.map(({ cpuMs }) => cpuMs)),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Returns a folder for the caches of Deno, Node and Bun. Downloads are not measured: it has the packages of Deno's. */
async function emptyCaches(folder: string): Promise<string> {
  await mkdir(folder);
  const downloads = process.env["DENO_DIR"] ?? `${homedir()}/.cache/deno`;
  await symlink(`${downloads}/npm`, `${folder}/npm`);
  return folder;
}

async function startOnce(
  { client, server }: Run,
  caches: string,
): Promise<Start> {
  const isDeno = "Deno" in globalThis;
  const flags = isDeno ? ["run", "--allow-all", "--no-check"] : [];
  if (isDeno && client === "client-node") flags.push("--node-modules-dir=manual");
  const env = {
    ...process.env,
    DENO_DIR: caches,
    NODE_COMPILE_CACHE: `${caches}/node`,
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: `${caches}/bun`,
  };
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, SCRIPT, client, server],
    { env },
  );
  return { wallMs: performance.now() - startedAt, cpuMs: Number(stdout) };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
