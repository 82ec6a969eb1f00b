import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";

/** `deploy/Dockerfile`. */
export function dockerfile({ runtime }: Answers, { operator }: ProjectNames): string {
  return `# docker build -f deploy/Dockerfile -t ${operator} .\n${runtime.dockerfile}`;
}

/** `deploy/sample.yaml`: an object to begin with. */
export function sample({ group, kind, version }: Answers): string {
  return `apiVersion: ${group}/${version}
kind: ${kind}
metadata:
  name: one
  namespace: default
spec:
  message: hello
  size: 2
`;
}

/** `.github/workflows/ci.yml`: the rules of AGENTS.md. */
export function workflow({ runtime: { install, run, setup } }: Answers): string {
  return `name: ci
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  ci:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
${setup.map((line) => `      ${line}\n`).join("")}      - run: ${install}
      - run: ${run} check
      - run: ${run} lint
      - run: ${run} test
      # The tests write the manifests: those in the repository must be the same.
      - run: git add --intent-to-add deploy && git diff --exit-code deploy
`;
}
