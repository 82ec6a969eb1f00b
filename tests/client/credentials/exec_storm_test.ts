import { assertEquals, assertRejects } from "@std/assert";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { statusAnswer } from "../_scripted_fetch.ts";

if (process.platform !== "win32") {
  for (const [what, token] of [["the same token", "same"], ["another token", "$$"]]) {
    Deno.test(`Client runs a plugin three times that prints ${what} for 40 requests that the server refuses`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "exec-"));
      try {
        const runs = join(folder, "runs");
        const apiVersion = "client.authentication.k8s.io/v1";
        const printed =
          `{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"TOKEN"}}`;
        const script = `echo run >> ${runs}; echo '${printed}' | sed "s/TOKEN/${token}/"`;
        await using client = new Client({
          fetch: () => Promise.resolve(statusAnswer(401, "Unauthorized")),
          exec: { apiVersion, command: "/bin/sh", args: ["-c", script], interactiveMode: "Never" },
          logger: silentLogger,
        });
        const ask = () => assertRejects(() => client.get(Namespaces, "n"), Error, "Unauthorized");
        await Promise.all(Array.from({ length: 20 }, ask));
        for (let i = 0; i < 20; i++) await ask();
        assertEquals(await readFile(runs, "utf8"), "run\nrun\nrun\n");
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
}
