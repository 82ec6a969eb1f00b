import { stringifyJson, visibleJson } from "../base/mod.ts";
import type { Story } from "../operator/stories/mod.ts";
import type { ResourceDescriptor } from "../types/mod.ts";
import type { ExportForm } from "./model.ts";

/** The module that an exported workload imports. */
const SIMULATION = "@kubeloop/testing/simulation";

/** The stories of one key. */
export interface StoriesOfKey {
  readonly controller: string;
  readonly key: string;
  /** The resource that the controller reconciles. */
  readonly resource: ResourceDescriptor;
  readonly stories: readonly Story[];
  /** Returns the stories in words. */
  readonly text: () => string;
}

/** Returns the stories of a key as the text of a file. */
export function exportedStories(subject: StoriesOfKey, form: ExportForm): string {
  switch (form) {
    case "json":
      return `${
        json({ controller: subject.controller, key: subject.key, stories: subject.stories })
      }\n`;
    case "markdown":
      return markdown(subject);
    case "workload":
      return workload(subject);
  }
}

function markdown({ controller, key, text }: StoriesOfKey): string {
  const body = text().trimEnd() || "No reconciles";
  // A fence must be longer than each row of backticks in the text.
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return `# ${inline(controller)} ${inline(key)}\n\n${fence}text\n${body}\n${fence}\n`;
}

/** Escapes a text for Markdown. */
function inline(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|&~]/g, (character) => `\\${character}`);
}

/** Returns a module that makes the workload of a simulation of the stories. */
function workload({ controller, key, resource, stories }: StoriesOfKey): string {
  const { group, kind, namespaced, plural, version } = resource;
  const hasPatches = stories.some(({ causes }) => causes.some(({ patch }) => patch !== undefined));
  return [
    "/**",
    ` * The workload of a simulation that does again what has caused the reconciles of ${
      comment(key)
    }`,
    ` * by the controller ${comment(controller)}.`,
    ...(hasPatches ? [] : [
      " *",
      " * The stories have no recorded changes: give the manager { recordObjects: true }, and export again.",
    ]),
    " */",
    "",
    `import { workloadOf } from ${JSON.stringify(SIMULATION)};`,
    "",
    "// The resources that users write. Add others that have caused reconciles, such as a Secret that objects refer to.",
    `const resources = [${json({ group, version, kind, plural, namespaced })}];`,
    "",
    `export const stories = ${json(stories)};`,
    "",
    "export default workloadOf(stories, { resources });",
    "",
  ].join("\n");
}

function json(value: unknown): string {
  return visibleJson(stringifyJson(value));
}

/** Returns a text that cannot end a comment. */
function comment(text: string): string {
  return text.replaceAll("*/", "* /");
}
