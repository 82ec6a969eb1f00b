/** Returns the paths of the test files below folders, in order, relative to the folder that `root` ends with. */
export function testFilesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  return filesBelow(root, folders, /_test\.ts$/);
}

/**
 * Returns the paths of the files below folders whose names match, in order, relative to the folder that `root` ends with.
 */
export async function filesBelow(
  root: string,
  folders: readonly string[],
  names: RegExp,
): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(`${root}${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) paths.push(...await filesBelow(root, [path], names));
      else if (names.test(name)) paths.push(path);
    }
  }
  return paths.sort();
}
