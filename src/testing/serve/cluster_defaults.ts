import type { Cached, Pod } from "@kubeloop/controller/types";
import { annotatedOutcome, type PodOutcome, StorageClasses } from "../actors/mod.ts";
import { type ApiServer, type KubernetesMinor, releaseOf } from "../api_server/mod.ts";
import type { ManifestObject } from "./manifest.ts";

/** Returns the system information of the nodes of a cluster of this version. */
export function nodeInfoOf(minor: KubernetesMinor): Readonly<Record<string, string>> {
  return {
    kubeletVersion: releaseOf(minor).version,
    osImage: "simulated",
    kernelVersion: "simulated",
    containerRuntimeVersion: "simulated://1.0.0",
    operatingSystem: "linux",
    architecture: "amd64",
  };
}

/** The time after which a Pod of a Job succeeds. */
const JOB_MS = 1000;

/** Returns the default end of containers: in a Job, they succeed after a second. */
export function clusterOutcome(pod: Cached<Pod>): PodOutcome | undefined {
  const isJob = pod.metadata.ownerReferences?.some(({ controller, kind }) =>
    controller === true && kind === "Job"
  );
  return annotatedOutcome(pod) ?? (isJob ? { afterMs: JOB_MS, exitCode: 0 } : undefined);
}

/** Returns the objects of a small cluster that `server` lacks: a default StorageClass, if it has no StorageClass. */
export function missingObjects(server: ApiServer): readonly ManifestObject[] {
  if (server.objects(StorageClasses).length > 0) return [];
  return [{
    where: "the default StorageClass",
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: {
        name: "standard",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "kubeloop.dev/simulated",
      volumeBindingMode: "WaitForFirstConsumer",
    } as ManifestObject["object"],
  }];
}
