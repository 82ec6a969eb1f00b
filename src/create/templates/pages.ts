import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";

/** `README.md`. */
export function readme(answers: Answers, { camel, operator, plural }: ProjectNames): string {
  const { kind, outside, owns, runtime } = answers;
  const { install, run, separator, test, title } = runtime;
  const owned = owns.map(({ kind }) => `a ${kind}`).join(", ");
  return `# ${operator}

Reconciles ${plural}. Of a ${kind} it makes ${
    [owned, outside ? "something outside of the cluster" : ""].filter((part) => part !== "").join(
      ", and ",
    )
  }.

## Begin

You need ${title}. You need no cluster.

\`\`\`sh
${install}
${test}
\`\`\`

The tests take seconds: a unit test against an API server in the process, and a simulation, which
runs the operator again and again, each time with something else gone wrong.

## Find a bug

In \`src/controller.ts\`, comment out the line \`throw error;\`. The unit test does not notice:

\`\`\`sh
${run} simulate
\`\`\`

The simulation does. Its report has the fault, the story of what has happened, and a line that
replays it: a call fails once, and without the error nothing tries it again. Put the line back.

## Develop

\`\`\`sh
${run} dev
\`\`\`

This runs the operator on a cluster in memory, restarts it when you save a file, and prints each
reconcile: why, what it wrote, and how it ended. \`${run} dev ${separator}--load deploy/sample.yaml\`
begins with a ${kind}; it prints a kubeconfig for kubectl. \`${run} dev ${separator}--context NAME\`
does the same in a real cluster, after you confirm.${
    outside ? " OUTSIDE_URL is the address of what is outside of the cluster." : ""
  }

| file | what it is |
| --- | --- |
| \`src/definition.ts\` | the kind with its schema |
${owns.length === 0 ? "" : "| `src/children.ts` | the owned objects |\n"}${
    outside ? "| `src/outside.ts` | what is outside of the cluster |\n" : ""
  }| \`src/controller.ts\` | the reconcile: \`${camel}Controller\` |
| \`src/operator.ts\`, \`src/main.ts\` | the operator, and the program |
| \`tests\` | the unit test and the simulation |
| \`deploy/manifests.yaml\` | what installs the operator: written by \`${test}\` |

## Deploy

\`\`\`sh
docker build -f deploy/Dockerfile -t ${operator} .
kubectl apply -f deploy/manifests.yaml
kubectl apply -f deploy/sample.yaml
kubectl get ${plural}
\`\`\`
`;
}

/** `AGENTS.md`: rules that are commands. */
export function agents({ runtime: { run, test } }: Answers): string {
  return `# Rules

Each rule is a command, which must succeed before a change is done.

| rule | command |
| --- | --- |
| The types hold | \`${run} check\` |
| Nothing to lint | \`${run} lint\` |
| The operator does what the unit tests say, and deploy/manifests.yaml is current | \`${test}\` |
| No crash, lost answer or late cache makes a difference | \`${run} simulate\` |
| Nobody edits deploy/manifests.yaml by hand | \`${run} manifests && git diff --exit-code deploy\` |
| A repaired bug stays repaired | its plan, after \`Replay:\` in the report, is replayed in tests/simulation.test.ts by \`sim.replay(plan)\`: \`${test}\` |

To see what the operator does, and why: \`${run} dev\`. Why one object is as it is:
\`kubeloop why RESOURCE/NAME\`.
`;
}
