/** The doors of docs/README.md, which are also the navigation of the site. */

import { assertEquals } from "@std/assert";
import { doorsOf } from "../../site/doors.ts";

const DOCS = new URL("../../docs/", import.meta.url);

Deno.test("doorsOf() reads the name, the sentence and the rows of each section", () => {
  const page = "# All\n\n## Learn\n\nFrom here.\n\n| Page | About |\n| --- | --- |\n" +
    "| [A guide](guide.md)  | a first program |\n\n## Do\n\nNow.\n";
  assertEquals(doorsOf(page), [
    {
      name: "Learn",
      about: "From here.",
      pages: [{ title: "A guide", link: "guide.md", about: "a first program" }],
    },
    { name: "Do", about: "Now.", pages: [] },
  ]);
});

Deno.test("every page of docs is behind exactly one of the four doors", async () => {
  const doors = doorsOf(await Deno.readTextFile(new URL("README.md", DOCS)));
  assertEquals(doors.map(({ name }) => name), ["Learn", "Do", "Know", "Operate"]);
  const linked = doors.flatMap(({ pages }) => pages.map(({ link }) => link));
  const names: string[] = [];
  for await (const { name } of Deno.readDir(DOCS)) {
    if (name.endsWith(".md") && name !== "README.md") names.push(name);
  }
  assertEquals(linked.filter((link) => !link.startsWith("../")).sort(), names.sort());
});

Deno.test("each page of docs has the title that its door shows", async () => {
  for (const { pages } of doorsOf(await Deno.readTextFile(new URL("README.md", DOCS)))) {
    for (const { link, title } of pages) {
      if (link.startsWith("../")) continue;
      const [heading] = (await Deno.readTextFile(new URL(link, DOCS))).split("\n");
      assertEquals(heading, `# ${title}`, link);
    }
  }
});
