import type { Answers } from "../answers.ts";
import type { OwnedKind } from "../owned_kinds.ts";
import type { ProjectNames } from "../project_names.ts";

/** `src/definition.ts`: the kind with its schemas. */
export function definition(
  { group, version, kind }: Answers,
  { descriptor }: ProjectNames,
): string {
  return `import { defineResource } from "@kubeloop/controller";
import type { Cached, ObjectOf } from "@kubeloop/controller/types";
import { z } from "zod";

/** The custom resource. The operator installs its definition. */
export const ${descriptor} = defineResource({
  group: "${group}",
  version: "${version}",
  kind: "${kind}",
  spec: z.object({
    message: z.string().max(1000),
    size: z.int().min(1).max(9).default(1),
  }),
  status: z.object({ size: z.int().optional() }),
  columns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
});

/** A ${kind}, as caches hold it. */
export type ${kind} = Cached<ObjectOf<typeof ${descriptor}>>;
`;
}

/** `src/children.ts`: the owned objects. */
export function children({ kind, owns }: Answers, { label }: ProjectNames): string {
  const usesLabels = owns.some(({ body }) => body.some((line) => line.includes("labelsOf(")));
  return `import type { ApplyConfiguration } from "@kubeloop/controller/types";
${importsOf(owns, ({ kind }) => kind, "import type")}
import type { ${kind} } from "./definition.ts";

${
    usesLabels
      ? `/** The labels of Pods. A UID is always a valid value; a name may be too long. */
function labelsOf({ metadata }: ${kind}): Record<string, string> {
  return { "${label}": metadata.uid };
}

`
      : ""
  }${
    owns.map((owned) =>
      `/** The ${owned.kind} of a ${kind}: the fields that the operator wants, and no others. */
export function ${functionOf(owned)}(owner: ${kind}): ApplyConfiguration<${owned.kind}> {
  return {
    metadata: { name: owner.metadata.name },
${owned.body.map((line) => `    ${line}\n`).join("")}  };
}
`
    ).join("\n")
  }`;
}

/** `src/controller.ts`: the reconcile. */
export function controller(answers: Answers, names: ProjectNames): string {
  const { group, kind, outside, owns, runtime } = answers;
  const { camel, descriptor } = names;
  const parameters = outside ? "manager: Manager, outside: Outside" : "manager: Manager";
  return `import type { Manager } from "@kubeloop/controller";
${
    owns.length === 0 ? "" : `${importsOf(owns, ({ plural }) => plural)}
import { ${owns.map(functionOf).sort().join(", ")} } from "./children.ts";
`
  }import { ${descriptor} } from "./definition.ts";
${outside ? 'import type { Outside } from "./outside.ts";\n' : ""}
/** Declares the controller: what a ${kind} asks for is made, and the status says so. */
export function ${camel}Controller(${parameters}): void {
  manager.controller(${descriptor})
${owns.map(({ plural }) => `    .owns(${plural})\n`).join("")}${
    outside
      ? `    // It is deleted only after the cleanup has succeeded.
    .finalizer("${group}/outside", {
      cleanup: ({ object, signal }) => outside.remove(object.metadata.uid, { signal }),
    })
`
      : ""
  }    .reconcile(async ({ object, ${owns.length > 0 ? "apply, " : ""}${
    outside ? "signal, " : ""
  }status }) => {
      try {
${
    outside
      ? `        // The UID is the id: the same call again makes nothing twice.
        await outside.ensure(object.metadata.uid, object.spec.message, { signal });
`
      : ""
  }${
    owns.map((owned) => `        await apply(${owned.plural}, ${functionOf(owned)}(object));\n`)
      .join("")
  }        status({ size: object.spec.size }).condition("Ready", "True", "Done");
      } catch (error) {
        status({}).condition("Ready", "False", "Failed", String(error));
        throw error; // Comment this line out: "${runtime.run} simulate" finds what the unit test does not.
      }
    });
}
`;
}

/** `src/operator.ts`: the manager. */
export function operator({ outside }: Answers, names: ProjectNames): string {
  const { camel, descriptor, operator } = names;
  const parameter = outside ? "outside: Outside,\n  " : "";
  return `import process from "node:process";
import { type Client, Manager } from "@kubeloop/controller";
import type { ManagerOptions } from "@kubeloop/controller/operator";
import { ${camel}Controller } from "./controller.ts";
import { ${descriptor} } from "./definition.ts";
${outside ? 'import { HttpOutside, type Outside } from "./outside.ts";\n' : ""}
/** Returns the operator, which \`run()\` starts. */
export function ${camel}Operator(
  client: Client,
  ${parameter}options: ManagerOptions = {},
): Manager {
  const manager = new Manager(client, {
    name: "${operator}",
    definitions: [${descriptor}],
    ...options,
  });
  ${camel}Controller(manager${outside ? ", outside" : ""});
  return manager;
}

/** Returns the operator of a cluster, of whose replicas one reconciles. deploy/manifests.yaml is made of it. */
export function manager(client: Client): Manager {
${
    outside
      ? '  const outside = new HttpOutside(process.env.OUTSIDE_URL ?? "http://127.0.0.1:9000");\n'
      : ""
  }  return ${camel}Operator(client, ${outside ? "outside, " : ""}{
    leaderElection: { name: "${operator}" },
    http: { port: Number(process.env.PORT ?? "8080") },
  });
}
`;
}

/** `src/outside.ts`: the API of something outside of the cluster. */
export function outsideApi({ kind }: Answers): string {
  return `/** The calls of the operator to the world outside of the cluster. Both may be repeated at any time. */
export interface Outside {
  /** Makes the thing of this id, or changes its message. */
  ensure(id: string, message: string, call: { signal: AbortSignal }): Promise<void>;
  /** Removes the thing of this id, if it is there. */
  remove(id: string, call: { signal: AbortSignal }): Promise<void>;
}

/** Things behind an HTTP API with PUT and DELETE: replace this by the API that a ${kind} needs. */
export class HttpOutside implements Outside {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ensure(id: string, message: string, { signal }: { signal: AbortSignal }): Promise<void> {
    await this.#send(id, { method: "PUT", body: message, signal });
  }

  async remove(id: string, { signal }: { signal: AbortSignal }): Promise<void> {
    await this.#send(id, { method: "DELETE", signal });
  }

  async #send(id: string, request: RequestInit): Promise<void> {
    const response = await fetch(\`\${this.#url}/\${id}\`, request);
    await response.body?.cancel();
    if (response.ok || (request.method === "DELETE" && response.status === 404)) return;
    throw new Error(\`\${request.method} \${id}: \${response.status}\`);
  }
}
`;
}

/** `src/main.ts`: the program. */
export function main(): string {
  return `import process from "node:process";
import { Client, loadConfig } from "@kubeloop/controller";
import { manager } from "./operator.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const client = new Client({ ...await loadConfig(), logger: { ...console, debug() {} } });
try {
  await manager(client).run({ signal: stop.signal });
} finally {
  await client.close();
}
`;
}

/** Returns imports from the modules of the kinds. */
export function importsOf(
  owns: readonly OwnedKind[],
  nameOf: (owned: OwnedKind) => string,
  keyword = "import",
): string {
  const modules = Map.groupBy(owns, ({ module }) => module);
  return [...modules].sort().map(([module, kinds]) =>
    `${keyword} { ${
      kinds.map(nameOf).sort().join(", ")
    } } from "@kubeloop/controller/types/${module}";`
  ).join("\n");
}

function functionOf({ kind }: OwnedKind): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Of`;
}
