import type { Answers } from "../answers.ts";
import type { ProjectNames } from "../project_names.ts";
import { KUBELOOP_VERSION, VERSIONS } from "../versions.ts";

const ENTRIES: Readonly<Record<string, string>> = {
  "@kubeloop/controller": "jsr:@kubeloop/controller",
  "@kubeloop/kubectl": "jsr:@kubeloop/kubectl",
  "@kubeloop/testing": "jsr:@kubeloop/testing",
};

/** `package.json`, for Node and Bun. */
export function packageJson({ kind, runtime }: Answers, { operator }: ProjectNames): string {
  const kubeloop = `^${KUBELOOP_VERSION}`;
  return json({
    name: operator,
    version: "0.1.0",
    description: `The operator of ${kind}s`,
    private: true,
    type: "module",
    ...(runtime.name === "node" ? { engines: { node: ">=22.18" } } : {}),
    scripts: runtime.scripts,
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
export function denoJson({ runtime }: Answers): string {
  const kubeloop = Object.entries(ENTRIES).map((
    [name, on],
  ) => [name, `${on}@^${KUBELOOP_VERSION}`]);
  return json({
    tasks: runtime.scripts,
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

/** `.gitignore` and `.dockerignore`. */
export function ignored(): string {
  return "node_modules\n*.kubeconfig\nreports\n";
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
