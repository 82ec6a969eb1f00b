/** The check of words, and its patterns by example. */

import { assertEquals } from "@std/assert";
import { checkWords, refusedWords } from "./words.ts";

const NOUN_FIRST = "begin with a noun or an active verb";
const NO = 'write "is not a …" or "has no …"';
const NOUN = "name the noun";
const UNCHANGED = 'write "unchanged"';
const ACTIVE = "name the actor and use an active verb";
const ACTOR = "name the actor";
const OTHER = 'write "other than"';
const PLAIN = "use a plain verb";
const ENGLISH = "write it as English does";

/** Sentences that the check refuses, by the advice. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  [NOUN_FIRST]: [
    "What a client measured.",
    "Who holds the Lease.",
    "Whose commands are run.",
    "Those before it must be healthy.",
    "That CA, which signs certificates.",
    "Of the authorities, the newest.",
  ],
  [NO]: ["A link is no file of this build.", "The arguments that are no flags."],
  [NOUN]: [
    "Returns those that can start now.",
    "The objects of the server are those of the file.",
    "A package of which modules are bundled.",
    "Usually one that supports the method.",
    "Returns the ones that match.",
  ],
  [UNCHANGED]: ["Leaves the set as it is.", "Sends objects as they are, and reads them again."],
  [ACTIVE]: [
    "Repeats what it is told.",
    "A handler is told of each object.",
    "Finds a failure if the exit code tells of it.",
    "The report says of the bug that it lasts.",
  ],
  [ACTOR]: ["A port that nobody uses.", "The user whom a token names.", "Given to whoever asks."],
  [OTHER]: ["It does nothing else than wait."],
  [PLAIN]: [
    "The job goes on after a failure.",
    "A ConfigMap that stands for a volume.",
    "Takes back the last step.",
    "The result that comes of a look.",
    "Returns if the term has ended in peace.",
  ],
  [ENGLISH]: ["Give the value, or leave it away.", "Each name is there twice.", "The half of it."],
};

/** Sentences that resemble refused ones, and are good. */
const ACCEPTED: readonly string[] = [
  "Whether the object exists.",
  "There is no kubelet, and there are no Pods.",
  "The Pod is no longer ready.",
  "Compares the ratios with those of the kept run.",
  "Runs all tests, except those whose names contain the text.",
  "Three controllers, each of which reports a condition.",
  "Bundles modules as they are published.",
  "Compares the object as it is in the cache.",
  "The costs of the threads cannot be told apart.",
  "Compares with client-go on every runtime.",
  "Returns the state of the object, unchanged.",
  "The name `what is no name` is code.",
];

function adviceFor(path: string, content: string): string[] {
  return [...new Set(refusedWords(path, content).map(({ advice }) => advice))];
}

Deno.test("refusedWords() refuses each pattern in comments and tests' names", () => {
  for (const [advice, sentences] of Object.entries(REFUSED)) {
    for (const sentence of sentences) {
      for (
        const source of [
          `/** ${sentence} */`,
          `/**\n * ${sentence}\n */`,
          `// ${sentence}`,
          `Deno.test("${sentence}", () => {});`,
          `slowTest(\n  "${sentence}",`,
        ]
      ) assertEquals(adviceFor("a.ts", source), [advice], source);
    }
  }
});

Deno.test("refusedWords() accepts good sentences", () => {
  for (const sentence of ACCEPTED) {
    assertEquals(refusedWords("a.ts", `/** ${sentence} */`), [], sentence);
    assertEquals(refusedWords("a.md", sentence), [], sentence);
  }
});

Deno.test("refusedWords() reads a sentence over two lines once, and names its line", () => {
  const source = "\n/**\n * Returns a list of those\n * that match.\n */";
  assertEquals(refusedWords("a.ts", source), [
    { line: 3, text: "Returns a list of those", advice: NOUN },
  ]);
});

Deno.test("refusedWords() checks the beginning of tags", () => {
  const source = "/**\n * Runs.\n *\n * @param runtime Whose commands are run.\n */";
  assertEquals(adviceFor("a.ts", source), [NOUN_FIRST]);
});

Deno.test("refusedWords() reads no code, and accepts questions as headings of pages", () => {
  const fence = "```";
  assertEquals(refusedWords("a.ts", 'const text = "A link is no file.";'), []);
  assertEquals(
    refusedWords("a.ts", `/**\n * Runs.\n *\n * ${fence}ts\n * // is no file\n * ${fence}\n */`),
    [],
  );
  assertEquals(refusedWords("a.md", `${fence}\nis no file\n${fence}\n`), []);
  assertEquals(refusedWords("a.md", "## What it costs"), []);
  assertEquals(adviceFor("a.md", "A link is no file."), [NO]);
});

Deno.test("refusedWords() reads the texts of components", () => {
  for (
    const source of [
      "<p>What a key waits for.</p>",
      "<p>\n  What a key waits for.\n</p>",
      '<Table caption="What a key waits for" />',
      "/** What a key waits for. */",
    ]
  ) assertEquals(adviceFor("a.tsx", source), [NOUN_FIRST], source);
  const code = 'const What = <b key="What">{What}</b>;\nfunction Whose(): VNode {';
  assertEquals(adviceFor("a.tsx", code), []);
});

Deno.test("comments, tests' names and pages have no refused words", () => {
  assertEquals(checkWords(["."]), []);
});
