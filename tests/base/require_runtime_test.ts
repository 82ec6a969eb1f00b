import { assertThrows } from "@std/assert";
import { requireRuntime } from "../../src/base/require_runtime.ts";

Deno.test("requireRuntime() refuses Node below 22, by its version", () => {
  const node = (version: string) => ({ process: { versions: { node: version } } });
  for (const version of ["20.20.2", "18.0.0", "21.7.3"]) {
    assertThrows(
      () => requireRuntime(node(version)),
      Error,
      `kubeloop needs Node 22 or later: this is Node ${version}`,
    );
  }
  for (const version of ["22.0.0", "22.23.3", "24.21.0", "100.0.0"]) requireRuntime(node(version));
});

Deno.test("requireRuntime() accepts other runtimes, whatever version of Node they claim to be", () => {
  const old = { versions: { node: "18.0.0" } };
  requireRuntime({ Deno: {}, process: old });
  requireRuntime({ Bun: {}, process: old });
  for (const scope of [{}, { process: {} }, { process: { versions: {} } }, globalThis]) {
    requireRuntime(scope);
  }
});
