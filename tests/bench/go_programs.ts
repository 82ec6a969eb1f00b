import { fileURLToPath } from "node:url";
import { run } from "../package/_tools.ts";

/** The built program of `go_client/`. */
export interface GoPrograms extends AsyncDisposable {
  /** The path of the program that measures client-go. */
  readonly client: string;
  /** The versions of Go and client-go. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Builds the program; logs a line and returns undefined if Go is not installed. */
export async function buildGo(): Promise<GoPrograms | undefined> {
  const version = await run(["go", "version"]).catch(() => undefined);
  if (version === undefined) {
    console.error(
      "client-go and kube-apiserver: skipped, there is no go on this machine to build them with",
    );
    return undefined;
  }
  console.error("building the client-go program …");
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-bench-go-" });
  const client = `${folder}/client`;
  const cwd = fileURLToPath(new URL("go_client/", import.meta.url));
  await run(["go", "build", "-trimpath", "-o", client, "."], {
    cwd,
    env: { CGO_ENABLED: "0" },
    timeoutMs: 600_000,
  });
  const module = await run(["go", "list", "-m", "-f", "{{.Version}}", "k8s.io/client-go"], { cwd });
  return {
    client,
    versions: { go: version.split(" ")[2] ?? version.trim(), "client-go": module.trim() },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
