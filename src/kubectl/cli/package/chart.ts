import { stringifyJson } from "@kubeloop/controller/internal/base";
import { writeYaml } from "@kubeloop/controller/internal/yaml";
import type { Declaration } from "./declaration.ts";
import type { ContainerRuntime, Files, Variable } from "./files.ts";
import { definitionFiles, namespacedFiles } from "./manifest_files.ts";
import { environmentOf, RESOURCES } from "./objects.ts";

/** The namespace of a declaration for a chart. A template has the namespace of the release instead. */
export const RELEASE_NAMESPACE = "kubeloop-release-namespace";

/** The options of a chart. */
export interface ChartOptions {
  readonly image: string;
  readonly runtime: ContainerRuntime;
  readonly env: readonly Variable[];
  /** The version of the chart and of the operator. */
  readonly version: string;
}

const OPTIONAL_OF_POD = ["affinity", "imagePullSecrets", "nodeSelector", "tolerations"] as const;

/**
 * Returns a Helm chart, with a schema of its values. Helm installs definitions once and never changes them: the operator
 * brings them up to date. Without changed values, the templates are the manifests of the operator, byte by byte.
 */
export function chartFiles(declaration: Declaration, options: ChartOptions): Files {
  const { hasReplicas, name, replicas } = declaration;
  const { env, image, runtime, version } = options;
  const placeholders = namespacedFiles(declaration, {
    image: valueOf("image"),
    imagePullPolicy: valueOf("imagePullPolicy"),
    replicas: valueOf("replicas"),
    resources: blockOf("resources"),
    container: { [optionalOf("env")]: "" },
    pod: Object.fromEntries(OPTIONAL_OF_POD.map((field) => [optionalOf(field), ""])),
  }, hasReplicas);
  const values = {
    image,
    imagePullPolicy: "IfNotPresent",
    replicas,
    resources: RESOURCES,
    env: [...environmentOf(runtime), ...env],
    nodeSelector: {},
    tolerations: [],
    affinity: {},
    imagePullSecrets: [],
  };
  const chart = { apiVersion: "v2", name, type: "application", version, appVersion: version };
  return new Map([
    ["Chart.yaml", writeYaml(chart)],
    ["values.yaml", writeYaml(values)],
    ["values.schema.json", `${stringifyJson(schemaOf(hasReplicas), { indent: 2 })}\n`],
    ...definitionFiles(declaration, "crds/"),
    ...[...placeholders].map(([path, text]) =>
      [`templates/${path}`, template(path, text)] as const
    ),
  ]);
}

const valueOf = (name: string) => `kubeloop-value-${name}`;
const blockOf = (name: string) => `kubeloop-block-${name}`;
const optionalOf = (name: string) => `kubeloop-optional-${name}`;

/** Replaces the placeholders of a manifest by the expressions of a template. */
function template(path: string, text: string): string {
  const out = text
    .replaceAll(RELEASE_NAMESPACE, "{{ toYaml .Release.Namespace }}")
    .replace(/kubeloop-value-(\w+)/g, "{{ toYaml .Values.$1 }}")
    .replace(
      /^( *)(\w+): kubeloop-block-(\w+)$/gm,
      (_, indent: string, field: string, name: string) =>
        `${indent}${field}:\n${indent}  {{- toYaml .Values.${name} | nindent ${
          indent.length + 2
        } }}`,
    )
    .replace(
      /^( *)kubeloop-optional-(\w+): ""$/gm,
      (_, indent: string, name: string) =>
        `${indent}{{- with .Values.${name} }}\n${indent}${name}:\n` +
        `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}\n${indent}{{- end }}`,
    );
  if (path !== "poddisruptionbudget.yaml") return out;
  return `{{- if gt (int .Values.replicas) 1 }}\n${out}{{- end }}\n`;
}

/** Returns the JSON Schema of the values, with which Helm refuses a misspelt one. */
function schemaOf(hasReplicas: boolean): Record<string, unknown> {
  const list = (items: unknown) => ({ type: "array", items });
  const object = { type: "object" };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    additionalProperties: false,
    required: ["image"],
    properties: {
      image: { type: "string", minLength: 1 },
      imagePullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
      // Without an election, every replica would reconcile.
      replicas: { type: "integer", minimum: 0, ...hasReplicas ? {} : { maximum: 1 } },
      resources: object,
      env: list({ type: "object", required: ["name"] }),
      nodeSelector: { type: "object", additionalProperties: { type: "string" } },
      tolerations: list(object),
      affinity: object,
      imagePullSecrets: list({ type: "object", required: ["name"] }),
      // Helm adds it to the values of a chart that is a part of another one.
      global: object,
    },
  };
}
