import { stringifyJson, visibleJson, visibleText } from "@kubeloop/controller/internal/base";
import type { BreakingChange } from "./breaking_changes.ts";
import type { Counterexample } from "./counterexamples.ts";

/** The most changes that a text lists, and the longest object and refusal in it, in characters. */
const MAX_LISTED = 50;
const MAX_OBJECT = 5000;
const MAX_REFUSAL = 500;

/** The differences of two definitions that can break a client or a stored object. */
export class Compatibility {
  /** The name of the definition, such as `widgets.acme.io`. */
  readonly name: string;
  /** The changes that a rule names and that are not allowed. */
  readonly changes: readonly BreakingChange[];
  /** Objects that were valid before, and that are refused now: at most three for each version. */
  readonly counterexamples: readonly Counterexample[];
  /** Versions that were checked only by rules, because no valid object was found. */
  readonly untried: readonly string[];

  /** Creates it of its parts. */
  constructor(
    parts: Pick<Compatibility, "name" | "changes" | "counterexamples" | "untried">,
  ) {
    this.name = parts.name;
    this.changes = parts.changes;
    this.counterexamples = parts.counterexamples;
    this.untried = parts.untried;
  }

  /** Whether nothing breaks. */
  get isCompatible(): boolean {
    return this.changes.length === 0 && this.counterexamples.length === 0;
  }

  /** Returns the differences as lines of text. */
  toString(): string {
    const { changes, counterexamples, isCompatible, name, untried } = this;
    const more = changes.length - MAX_LISTED;
    return [
      isCompatible ? `${name} is compatible` : `${name} can break its clients or stored objects`,
      ...changes.slice(0, MAX_LISTED).map(lineOf),
      ...(more > 0 ? [`- and ${more} more changes`] : []),
      ...counterexamples.flatMap(({ error, object, version }) => [
        `An object of ${version} that was valid is refused: ${
          visibleText(`${error.field}: ${error.message}`, MAX_REFUSAL)
        }`,
        `  ${visibleText(visibleJson(stringifyJson(object)), MAX_OBJECT)}`,
      ]),
      ...untried.map((version) =>
        `No valid object of ${version} was found, so only the rules were checked`
      ),
    ].join("\n");
  }
}

function lineOf({ message, path, rule, version }: BreakingChange): string {
  const place = [version, visibleText(path, 300)].filter((part) => part !== "").join(" ");
  return `- ${place}${place === "" ? "" : ": "}${rule}: ${message}`;
}
