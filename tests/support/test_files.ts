/** Returns the paths of the test files below folders, in order, relative to the folder that `root` ends with. */
export async function testFilesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(`${root}${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) paths.push(...await testFilesBelow(root, [path]));
      else if (name.endsWith("_test.ts")) paths.push(path);
    }
  }
  return paths.sort();
}
