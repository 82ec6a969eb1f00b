import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the size of the heap in MiB after a garbage collection. Only for tests on V8. */
export function heapMiB(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
