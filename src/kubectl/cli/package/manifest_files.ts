import { writeYaml } from "@kubeloop/controller/internal/yaml";
import type { KubeObject } from "@kubeloop/controller/types";
import type { Declaration } from "./declaration.ts";
import type { ContainerRuntime, Files, Variable } from "./files.ts";
import {
  budgetOf,
  deploymentOf,
  environmentOf,
  namespaceOf,
  policyOf,
  RESOURCES,
  serviceOf,
  type Values,
} from "./objects.ts";

/** The options of plain manifests. */
export interface ManifestOptions {
  readonly image: string;
  readonly runtime: ContainerRuntime;
  readonly env: readonly Variable[];
}

/** Returns the manifests of an operator, in the order in which they are applied. */
export function manifestFiles(declaration: Declaration, options: ManifestOptions): Files {
  const env = [...environmentOf(options.runtime), ...options.env];
  const values: Values = {
    image: options.image,
    imagePullPolicy: "IfNotPresent",
    replicas: declaration.replicas,
    resources: RESOURCES,
    container: env.length > 0 ? { env } : {},
    pod: {},
  };
  const namespace = namespaceOf(declaration);
  return new Map([
    ...namespace === undefined ? [] : [["namespace.yaml", writeYaml(namespace)] as const],
    ...definitionFiles(declaration, ""),
    ...namespacedFiles(declaration, values, declaration.replicas > 1),
  ]);
}

/** Returns the manifests of an operator with a `kustomization.yaml` that names them. */
export function kustomizeFiles(declaration: Declaration, options: ManifestOptions): Files {
  const files = manifestFiles(declaration, options);
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [...files.keys()],
  };
  return new Map([["kustomization.yaml", writeYaml(kustomization)], ...files]);
}

/** Returns a file for each definition. */
export function definitionFiles({ definitions }: Declaration, folder: string): Files {
  return new Map(
    definitions.map((one) => [`${folder}crd-${one.metadata.name}.yaml`, writeYaml(one)]),
  );
}

/** Returns the files of everything but the definitions. */
export function namespacedFiles(
  declaration: Declaration,
  values: Values,
  hasBudget: boolean,
): Files {
  const objects: readonly (readonly [string, KubeObject | undefined])[] = [
    ["service.yaml", serviceOf(declaration)],
    ["deployment.yaml", deploymentOf(declaration, values)],
    ["poddisruptionbudget.yaml", hasBudget ? budgetOf(declaration) : undefined],
    ["networkpolicy.yaml", policyOf(declaration)],
  ];
  return new Map([
    ["rbac.yaml", declaration.rbac],
    ...objects.flatMap(([path, object]) =>
      object === undefined ? [] : [[path, writeYaml(object)] as const]
    ),
  ]);
}
