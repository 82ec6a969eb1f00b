import type { KubeObject } from "@kubeloop/controller/types";
import type { Release } from "../release/mod.ts";
import { isIn, withoutSpan } from "./release_line.ts";

/**
 * The priorities of the versions of the built-in API groups: `group/version`, that of the group, and that of the version
 * in the group. A span follows if not all releases serve the version: see {@linkcode isIn}.
 */
const PRIORITIES = `
  core/v1 18000 1
  admissionregistration.k8s.io/v1 16700 15
  apiextensions.k8s.io/v1 16700 15
  apps/v1 17800 15
  authentication.k8s.io/v1 17700 15
  authorization.k8s.io/v1 17600 15
  autoscaling/v1 17500 15
  autoscaling/v2 17500 30
  batch/v1 17400 15
  certificates.k8s.io/v1 17300 15
  coordination.k8s.io/v1 16500 15
  discovery.k8s.io/v1 16200 15
  events.k8s.io/v1 17750 15
  flowcontrol.apiserver.k8s.io/v1 16100 21
  networking.k8s.io/v1 17200 15
  node.k8s.io/v1 16300 15
  policy/v1 17100 15
  rbac.authorization.k8s.io/v1 17000 15
  resource.k8s.io/v1 16200 21
  scheduling.k8s.io/v1 16600 15
  storage.k8s.io/v1 16800 15
  storagemigration.k8s.io/v1 15800 15 | since:1.37
`.trim().split("\n");

/** Returns the lines of the versions that a release serves. */
export function apiServices(release: Release): string[] {
  return PRIORITIES.filter((line) => isIn(release, line));
}

/** Returns the APIService of a line. */
export function apiService(line: string): KubeObject {
  const [groupVersion = "", groupPriority, versionPriority] = withoutSpan(line).split(" ");
  const [group = "", version = ""] = groupVersion.replace(/^core/, "").split("/");
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: {
      name: `${version}.${group}`,
      labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" },
    },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum: Number(groupPriority),
      versionPriority: Number(versionPriority),
    },
  } as KubeObject;
}
