/** A runtime, with the commands of a project for it. */
export interface Runtime {
  readonly name: "node" | "deno" | "bun";
  /** The name for people. */
  readonly title: string;
  /** Installs the dependencies. */
  readonly install: string;
  /** Runs a script of the project, which follows. */
  readonly run: string;
  /** The text between the name of a script and its arguments. */
  readonly separator: string;
  /** Runs the tests; a shorter form of `run`. */
  readonly test: string;
  /** Runs the command kubeloop, whose arguments follow. */
  readonly kubeloop: string;
  /** The scripts of a project by name, except those that run kubeloop. */
  readonly scripts: Readonly<Record<ScriptName, string>>;
  /** The steps of the workflow that install the runtime, as YAML. */
  readonly setup: readonly string[];
  readonly dockerfile: string;
}

/** The name of a script. */
export type ScriptName = "check" | "lint" | "test" | "simulate" | "start";

const TYPES = "tsc";
const LINT = "oxlint --deny-warnings src tests";
const NPM_DEPENDENCIES = "COPY package.json package-lock.json* bun.lock* ./";

const NODE: Runtime = {
  name: "node",
  title: "Node 24 (or 22.18) and npm",
  install: "npm install",
  run: "npm run",
  separator: "-- ",
  test: "npm test",
  kubeloop: "kubeloop",
  scripts: {
    check: TYPES,
    lint: LINT,
    test: "npm run manifests && node --test tests/*.test.ts",
    simulate: "node tests/simulate.ts",
    start: "node src/main.ts",
  },
  setup: [
    "- uses: actions/setup-node@v4",
    "  with: { node-version: 24 }",
  ],
  dockerfile: `FROM node:24-slim AS build
WORKDIR /app
${NPM_DEPENDENCIES}
RUN npm install --omit=dev

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/node_modules node_modules
COPY package.json ./
COPY src src
USER 65532:65532
ENTRYPOINT ["node", "src/main.ts"]
`,
};

const DENO: Runtime = {
  name: "deno",
  title: "Deno 2",
  install: "deno install",
  run: "deno task",
  separator: "",
  test: "deno task test",
  kubeloop: "deno run -A @kubeloop/kubectl/cli",
  scripts: {
    check: "deno check src tests",
    lint: "deno lint src tests",
    test: "deno task manifests && deno test --allow-env tests",
    simulate: "deno run --allow-env tests/simulate.ts",
    start: "deno run --allow-net --allow-env --allow-read src/main.ts",
  },
  setup: [
    "- uses: denoland/setup-deno@v2",
    "  with: { deno-version: v2.x }",
  ],
  dockerfile: `FROM denoland/deno:2.9.6 AS build
WORKDIR /app
ENV DENO_DIR=/app/.deno
COPY deno.json deno.lock* ./
COPY src src
RUN deno cache src/main.ts && chmod -R a+rX /app

FROM denoland/deno:2.9.6
WORKDIR /app
ENV DENO_DIR=/app/.deno DENO_NO_UPDATE_CHECK=1
COPY --from=build /app /app
USER 65532:65532
ENTRYPOINT ["deno", "run", "--cached-only", "--no-prompt", "--allow-net", "--allow-env", \\
  "--allow-read=/var/run/secrets/kubernetes.io/serviceaccount", "src/main.ts"]
`,
};

const BUN: Runtime = {
  name: "bun",
  title: "Bun 1.3 or newer",
  install: "bun install",
  run: "bun run",
  separator: "",
  test: "bun run test",
  kubeloop: "bun --bun kubeloop",
  scripts: {
    check: TYPES,
    lint: LINT,
    test: "bun run manifests && bun test --timeout 120000 tests",
    simulate: "bun tests/simulate.ts",
    start: "bun src/main.ts",
  },
  setup: ["- uses: oven-sh/setup-bun@v2"],
  dockerfile: `FROM oven/bun:1-slim AS build
WORKDIR /app
${NPM_DEPENDENCIES}
RUN bun install --production

FROM oven/bun:1-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json ./
COPY src src
USER 65532:65532
ENTRYPOINT ["bun", "src/main.ts"]
`,
};

/** The runtimes, by name. */
export const RUNTIMES: ReadonlyMap<string, Runtime> = new Map(
  [NODE, DENO, BUN].map((runtime) => [runtime.name, runtime]),
);
