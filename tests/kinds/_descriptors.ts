import type { ResourceDescriptor } from "../../src/types/mod.ts";

const KINDS = new URL("../../src/kinds/", import.meta.url);

/** Returns the modules of the API groups, relative to their room, as in `apps/v1.ts`. */
export async function files(): Promise<string[]> {
  const found: string[] = [];
  for await (const folder of Deno.readDir(KINDS)) {
    if (!folder.isDirectory) continue;
    for await (const { name } of Deno.readDir(new URL(`${folder.name}/`, KINDS))) {
      if (/^v\d/.test(name)) found.push(`${folder.name}/${name}`);
    }
  }
  return found.sort();
}

/** Returns all descriptors, by the file and the name of the constant. */
export async function descriptors(): Promise<Map<string, ResourceDescriptor>> {
  const found = new Map<string, ResourceDescriptor>();
  for (const file of await files()) {
    const values: Record<string, ResourceDescriptor> = await import(`../../src/kinds/${file}`);
    for (const [name, value] of Object.entries(values)) found.set(`${file} ${name}`, value);
  }
  return found;
}
