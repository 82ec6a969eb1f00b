/** Folders that no copy of the repository needs. */
const LEFT_OUT: readonly string[] = [".git", "dist", "node_modules"];

/** Copies a file, or a folder and everything below it. */
export async function copyTree(from: URL, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) {
    await Deno.copyFile(from, to);
    return;
  }
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    if (LEFT_OUT.includes(name)) continue;
    await copyTree(new URL(`${from.href.replace(/\/$/, "")}/${name}`), `${to}/${name}`);
  }
}
