import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Starts a server of `count` small objects, which ends with this process, and returns its URL. */
export async function serveSmallObjects(count: number): Promise<string> {
  const script = fileURLToPath(new URL("./small_objects_server.ts", import.meta.url));
  const flags = "Deno" in globalThis ? ["run", "--allow-all", "--no-check"] : [];
  const child = spawn(process.execPath, [...flags, script, `${count}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Uint8Array) => resolve(new TextDecoder().decode(data)));
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}`)));
  });
  return `http://127.0.0.1:${JSON.parse(line).port}`;
}
