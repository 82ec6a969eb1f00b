import type { Answers } from "./answers.ts";
import { namesOf } from "./project_names.ts";
import { dockerfile, sample, workflow } from "./templates/deploy.ts";
import { agents, readme } from "./templates/pages.ts";
import { denoJson, ignored, packageJson, tsconfigJson } from "./templates/project.ts";
import {
  children,
  controller,
  definition,
  main,
  operator,
  outsideApi,
} from "./templates/source.ts";
import {
  controllerTest,
  fakeOutside,
  simulate,
  simulationOf,
  simulationTest,
} from "./templates/tests.ts";

/** Returns the files of a project: their texts by path. */
export function projectFiles(answers: Answers): ReadonlyMap<string, string> {
  const names = namesOf(answers);
  const { outside, owns, runtime } = answers;
  return new Map(Object.entries({
    ".dockerignore": ignored(),
    ".github/workflows/ci.yml": workflow(answers),
    ".gitignore": ignored(),
    "AGENTS.md": agents(answers),
    "README.md": readme(answers, names),
    "deploy/Dockerfile": dockerfile(answers, names),
    "deploy/sample.yaml": sample(answers),
    ...(runtime.name === "deno" ? { "deno.json": denoJson(answers, names) } : {
      "package.json": packageJson(answers, names),
      "tsconfig.json": tsconfigJson(),
    }),
    ...(owns.length > 0 ? { "src/children.ts": children(answers, names) } : {}),
    "src/controller.ts": controller(answers, names),
    "src/definition.ts": definition(answers, names),
    "src/main.ts": main(),
    "src/operator.ts": operator(answers, names),
    ...(outside
      ? { "src/outside.ts": outsideApi(answers), "tests/fake_outside.ts": fakeOutside() }
      : {}),
    "tests/controller.test.ts": controllerTest(answers, names),
    "tests/simulate.ts": simulate(answers),
    "tests/simulation.test.ts": simulationTest(),
    "tests/simulation.ts": simulationOf(answers, names),
  }));
}
