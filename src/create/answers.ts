import { OWNED_KINDS, type OwnedKind } from "./owned_kinds.ts";
import { parseResourceName, type ResourceName } from "./resource_name.ts";
import { type Runtime, RUNTIMES } from "./runtimes.ts";

/** The answers to the questions, as text. */
export interface GivenAnswers {
  /** The kind, such as `acme.io/v1/Widget`. */
  readonly kind: string;
  /** The owned kinds with commas, such as `Deployment,ConfigMap`; or `none`. */
  readonly owns: string;
  /** Whether the controller acts outside of the cluster: `yes` or `no`. */
  readonly outside: string;
  /** The name of a runtime: `node`, `deno` or `bun`. */
  readonly runtime: string;
}

/** The parsed answers: the project to generate. */
export interface Answers extends ResourceName {
  readonly owns: readonly OwnedKind[];
  readonly outside: boolean;
  readonly runtime: Runtime;
}

/**
 * Parses the answers.
 *
 * @throws {SyntaxError} If one is not valid, or they leave nothing for the controller to do.
 */
export function parseAnswers(given: GivenAnswers): Answers {
  const name = parseResourceName(given.kind.trim());
  const owns = parseOwnedKinds(given.owns);
  const outside = parseYesNo(given.outside);
  const runtime = RUNTIMES.get(given.runtime);
  if (runtime === undefined) {
    throw new SyntaxError(
      `The runtime must be ${[...RUNTIMES.keys()].join(", ")}, not ${
        JSON.stringify(given.runtime)
      }`,
    );
  }
  if (owns.some(({ kind }) => kind === name.kind)) {
    throw new SyntaxError(
      `A ${name.kind} cannot own a ${name.kind}: the generated code needs two names`,
    );
  }
  if (owns.length === 0 && !outside) {
    throw new SyntaxError(
      "The controller would have nothing to do: name an owned kind, or answer yes to what is outside of the cluster",
    );
  }
  return { ...name, owns, outside, runtime };
}

/** Parses a list of owned kinds. */
export function parseOwnedKinds(text: string): OwnedKind[] {
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.length === 0 || (names.length === 1 && names[0] === "none")) return [];
  return [...new Set(names)].map((name) => {
    const owned = OWNED_KINDS.get(name);
    if (owned !== undefined) return owned;
    throw new SyntaxError(
      `The owned kinds must be of ${[...OWNED_KINDS.keys()].join(", ")}; or none; not ${
        JSON.stringify(name)
      }`,
    );
  });
}

/** Parses `yes`, `no` and their first letters. */
export function parseYesNo(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === "yes" || word === "y") return true;
  if (word === "no" || word === "n") return false;
  throw new SyntaxError(`Outside must be yes or no, not ${JSON.stringify(text)}`);
}
