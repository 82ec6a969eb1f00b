import { type Clock, describeError, realClock } from "@kubeloop/controller/internal/base";
import type { ApiServer } from "../../api_server/mod.ts";
import type { OperatorCommand, RunningOperator, Stage } from "./operators.ts";

/** The time that a program gets to end by itself, in milliseconds. */
const GRACE_MS = 2000;
/** The maximum length of the kept end of what a program prints, in characters. */
const MAX_OUTPUT = 2000;

/** Returns the stage of a command: real time, and an API server on a socket of this machine. */
export function commandStage(operator: OperatorCommand): Stage {
  return {
    clock: realClock,
    run: (work) => work,
    start: (server) => startCommand(operator, server, realClock),
  };
}

async function startCommand(
  { command: [file, ...args], cwd, env }: OperatorCommand,
  server: ApiServer,
  clock: Clock,
): Promise<RunningOperator> {
  const [{ spawn }, { mkdtemp, rm, writeFile }, { tmpdir }, { join }] = await Promise.all([
    import("node:child_process"),
    import("node:fs/promises"),
    import("node:os"),
    import("node:path"),
  ]);
  const served = await server.serve();
  const folder = await mkdtemp(join(tmpdir(), "kubeloop-rehearse-"));
  const kubeconfig = join(folder, "kubeconfig");
  // JSON is YAML.
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(served.url)));
  const { process } = globalThis;
  const { KUBERNETES_SERVICE_HOST: _, ...outer } = process.env;
  const grouped = process.platform !== "win32";
  let isEnding = false;
  let output = "";
  let problem: string | undefined;
  const child = spawn(file, args, {
    cwd,
    env: { ...outer, ...env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
    detached: grouped,
    windowsHide: true,
  });
  const keep = (chunk: Uint8Array) => {
    output = (output + new TextDecoder().decode(chunk)).slice(-MAX_OUTPUT);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const closed = new Promise<void>((resolve) => {
    child.on("error", (error) => {
      problem ??= `it cannot be started: ${describeError(error)}`;
      resolve();
    });
    child.on("close", (code, signal) => {
      if (!isEnding) {
        const how = code === null ? `by ${signal}` : `with exit code ${code}`;
        problem ??= `it has ended ${how}: ${output.trim().split("\n").at(-1) ?? ""}`;
      }
      resolve();
    });
  });
  const kill = (signal: "SIGTERM" | "SIGKILL") => {
    try {
      if (grouped && child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has ended already, or Deno's permission does not include its group.
    }
    child.kill(signal);
  };
  return {
    get hasEnded() {
      return problem !== undefined;
    },
    end: async () => {
      isEnding = true;
      kill("SIGTERM");
      const timer = clock.setTimer(() => kill("SIGKILL"), GRACE_MS);
      await closed;
      timer.cancel();
      await served.close();
      await rm(folder, { recursive: true, force: true });
      return problem === undefined ? [] : [problem];
    },
  };
}

function kubeconfigOf(server: string) {
  const name = "rehearsal";
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
  };
}
