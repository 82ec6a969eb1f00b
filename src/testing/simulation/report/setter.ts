import { showJson } from "@kubeloop/controller/internal/base";
import type { Chronicle, Version } from "./chronicle.ts";
import { valueAt } from "./object_diff.ts";

/** Returns the version that gave a field the value that it has at the end. */
export function setterOf(run: Chronicle, object: string, path: string): Version | undefined {
  const versions = run.versionsOf(object);
  // A list as a whole has one item more or less.
  const field = path.replace(/\[\]$/, "");
  const final = showJson(valueAt(versions.at(-1)?.write.object(), field));
  let setter: Version | undefined;
  for (const version of versions.toReversed()) {
    if (showJson(valueAt(version.write.object(), field)) !== final) break;
    setter = version;
    if (isCreate(version)) break;
  }
  return setter;
}

/** Reports whether a version is the first one of its object. */
export function isCreate({ write }: Version): boolean {
  return write.type === "ADDED";
}
