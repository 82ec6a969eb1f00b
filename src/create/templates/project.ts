import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";
import { KUBELOOP_VERSION, VERSIONS } from "../versions.ts";

const ENTRIES: Readonly<Record<string, string>> = {
  "@kubeloop/controller": "jsr:@kubeloop/controller",
  "@kubeloop/kubectl": "jsr:@kubeloop/kubectl",
  "@kubeloop/testing": "jsr:@kubeloop/testing",
};

/** `package.json`, for Node and Bun. */
export function packageJson(answers: Answers, names: ProjectNames): string {
  const { kind, runtime } = answers;
  const kubeloop = `^${KUBELOOP_VERSION}`;
  return json({
    name: names.operator,
    version: "0.1.0",
    description: `The operator of ${kind}s`,
    private: true,
    type: "module",
    ...(runtime.name === "node" ? { engines: { node: ">=22.18" } } : {}),
    scripts: scriptsOf(answers, names),
    dependencies: { "@kubeloop/controller": kubeloop, zod: VERSIONS.zod },
    devDependencies: {
      "@kubeloop/kubectl": kubeloop,
      "@kubeloop/testing": kubeloop,
      "@types/node": VERSIONS["@types/node"],
      oxlint: VERSIONS.oxlint,
      typescript: VERSIONS.typescript,
    },
  });
}

/** `tsconfig.json`, for the check of types on Node and Bun. */
export function tsconfigJson(): string {
  return json({
    compilerOptions: {
      target: "es2024",
      lib: ["es2024", "esnext.disposable", "dom"],
      module: "nodenext",
      moduleResolution: "nodenext",
      types: ["node"],
      noEmit: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
    },
    include: ["src", "tests"],
  });
}

/** `deno.json`, for Deno. */
export function denoJson(answers: Answers, names: ProjectNames): string {
  const kubeloop = Object.entries(ENTRIES).map((
    [name, on],
  ) => [name, `${on}@^${KUBELOOP_VERSION}`]);
  return json({
    tasks: scriptsOf(answers, names),
    imports: { ...Object.fromEntries(kubeloop), zod: `npm:zod@${VERSIONS.zod}` },
    compilerOptions: {
      strict: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  });
}

/** Returns the scripts of a project. */
function scriptsOf({ outside, runtime }: Answers, { operator }: ProjectNames) {
  const env = outside ? " --env OUTSIDE_URL=http://outside.example" : "";
  const flags = `--image ${operator} --namespace ${operator}${env}`;
  return {
    ...runtime.scripts,
    dev: `${runtime.kubeloop} dev src/main.ts`,
    manifests: `${runtime.kubeloop} package src/operator.ts ${flags} > deploy/manifests.yaml`,
  };
}

/** `.gitignore` and `.dockerignore`. */
export function ignored(): string {
  return "node_modules\n*.kubeconfig\nreports\n";
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
