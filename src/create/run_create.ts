import { parseArgs } from "node:util";
import { type GivenAnswers, parseAnswers, parseOwnedKinds, parseYesNo } from "./answers.ts";
import { OWNED_KINDS } from "./owned_kinds.ts";
import { projectFiles } from "./project_files.ts";
import { namesOf } from "./project_names.ts";
import { parseResourceName } from "./resource_name.ts";
import { RUNTIMES } from "./runtimes.ts";
import { writeProject } from "./write_project.ts";

/** The environment of the program. */
export interface CreateHost {
  /** The runtime of this process, which is the default of the project. */
  readonly runtime: string;
  /** Prints to standard output. */
  readonly print: (text: string) => void;
  /** Prints to standard error. */
  readonly warn: (text: string) => void;
  /** Asks a question and returns the answer; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/** The exit codes. */
const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

const USAGE = `Usage: npm create kubeloop -- [FLAGS] [FOLDER]
       deno run -A jsr:@kubeloop/create [FLAGS] [FOLDER]

Writes the project of an operator into a new folder: a schema, the controller, a unit test, a simulation, deploy files,
a workflow. It asks for what the flags do not say.

  --kind GROUP/VERSION/KIND  the custom resource, such as acme.io/v1/Widget
  --owns KIND,…              the kinds that it owns, or none: ${[...OWNED_KINDS.keys()].join(", ")}
  --outside yes|no           whether the controller acts outside of the cluster too
  --runtime NAME             ${
  [...RUNTIMES.keys()].join(", ")
}; default: the one that runs this program
  --help                     prints this

FOLDER is KIND-operator by default. A folder with files in it is never changed.
`;

/**
 * Runs the program. An error is printed as one line on standard error.
 *
 * @returns The exit code: 0; 1 if the project could not be written; 2 if an answer is wrong.
 */
export async function runCreate(args: readonly string[], host: CreateHost): Promise<number> {
  let isUsage = true;
  try {
    const command = parse(args);
    if (command.help) {
      host.print(USAGE);
      return EXIT.done;
    }
    const answers = parseAnswers(await complete(command, host));
    const { operator } = namesOf(answers);
    const folder = command.folder ?? operator;
    isUsage = false;
    await writeProject(folder, projectFiles(answers));
    const { install, run, test } = answers.runtime;
    host.print(
      `Wrote ${folder}. Next:\n\n  cd ${folder}\n  ${install}\n  ${test}\n  ${run} dev\n\nREADME.md says how to find a first bug.\n`,
    );
    return EXIT.done;
  } catch (error) {
    host.warn(`error: ${error instanceof Error ? error.message : String(error)}`);
    return isUsage ? EXIT.wrongUsage : EXIT.failed;
  }
}

interface Given extends Partial<GivenAnswers> {
  readonly folder: string | undefined;
  readonly help: boolean;
}

function parse(args: readonly string[]): Given {
  const text = { type: "string" } as const;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kind: text,
      owns: text,
      outside: text,
      runtime: text,
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new SyntaxError(`Expected one folder, found also ${more[0]}`);
  if (folder === "") {
    throw new SyntaxError("The folder must not be empty: leave it out, or name it");
  }
  return { ...values, folder };
}

/** A question, and the check of its answer, so that a wrong one is asked again. */
const QUESTIONS = {
  kind: {
    text: "The kind, as GROUP/VERSION/KIND (acme.io/v1/Widget)",
    otherwise: "acme.io/v1/Widget",
    check: parseResourceName,
  },
  owns: {
    text: "The kinds that it owns, with commas, or none (ConfigMap)",
    otherwise: "ConfigMap",
    check: parseOwnedKinds,
  },
  outside: {
    text: "Anything outside of the cluster? yes or no (no)",
    otherwise: "no",
    check: parseYesNo,
  },
} as const;

/** Asks the questions that the flags have not answered. */
async function complete(given: Given, host: CreateHost): Promise<GivenAnswers> {
  const missing = (["kind", "owns", "outside"] as const).filter((name) =>
    given[name] === undefined
  );
  if (missing.length > 0 && host.ask === undefined) {
    throw new SyntaxError(
      `Without a terminal, the answers are flags: add ${
        missing.map((name) => `--${name}`).join(", ")
      }; see --help`,
    );
  }
  const answers: Record<"kind" | "owns" | "outside", string> = {
    kind: given.kind ?? "",
    owns: given.owns ?? "",
    outside: given.outside ?? "",
  };
  for (const name of missing) answers[name] = await asked(name, host);
  return { ...answers, runtime: given.runtime ?? host.runtime };
}

async function asked(name: keyof typeof QUESTIONS, { ask, warn }: CreateHost): Promise<string> {
  const { text, otherwise, check } = QUESTIONS[name];
  for (;;) {
    const answer = (await ask?.(`${text}: `))?.trim() || otherwise;
    try {
      check(answer);
      return answer;
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
  }
}
