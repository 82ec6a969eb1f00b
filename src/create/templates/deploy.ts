import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";

/** `deploy/Dockerfile`. */
export function dockerfile({ runtime }: Answers, { operator }: ProjectNames): string {
  return `# docker build -f deploy/Dockerfile -t ${operator} .\n${runtime.dockerfile}`;
}

/** `deploy/deployment.yaml`: two replicas and one leader. */
export function deployment({ outside }: Answers, { operator }: ProjectNames): string {
  return `# Apply deploy/manifests.yaml with it: the definition, and the ServiceAccount with its rights.
apiVersion: v1
kind: Namespace
metadata:
  name: ${operator}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${operator}
  namespace: ${operator}
spec:
  replicas: 2
  selector:
    matchLabels: { app: ${operator} }
  template:
    metadata:
      labels: { app: ${operator} }
    spec:
      serviceAccountName: ${operator}
      # On SIGTERM, the operator ends its reconciles and gives its lease back.
      terminationGracePeriodSeconds: 40
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: operator
          image: ${operator}
          imagePullPolicy: IfNotPresent
${
    outside
      ? `          env:
            - { name: OUTSIDE_URL, value: "http://outside.example" }
`
      : ""
  }          ports:
            - { name: http, containerPort: 8080 }
          readinessProbe:
            httpGet: { path: /readyz, port: http }
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            initialDelaySeconds: 10
          resources:
            requests: { cpu: 20m, memory: 96Mi }
            limits: { memory: 256Mi }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
`;
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
