/**
 * `@kubernetes/client-node`, which is on npm only and therefore imported by name.
 *
 * @module
 */

import process from "node:process";
import {
  type Handlers,
  type InformerClient,
  podsUrl,
  type PodView,
  type RunningInformer,
  type Scope,
} from "./informer_client.ts";

/** The used parts of the package. */
interface ClientNode {
  readonly CoreV1Api: unknown;
  readonly KubeConfig: new () => {
    loadFromOptions(options: unknown): void;
    makeApiClient(api: unknown): {
      listPodForAllNamespaces(): Promise<unknown>;
      listNamespacedPod(options: { namespace: string }): Promise<unknown>;
    };
  };
  makeInformer(config: unknown, path: string, list: () => Promise<unknown>): Informer;
}

interface Informer {
  on(event: "add" | "update", handler: (pod: PodView) => void): void;
  on(event: "error", handler: (error: unknown) => void): void;
  start(): Promise<void>;
  list(): readonly PodView[];
}

/** The npm name of the package; not a literal in `import()`, so that tools do not try to resolve it here. */
export const PACKAGE = "@kubernetes/client-node" as string;

/** Loads the package. */
export async function loadClientNode(): Promise<InformerClient<PodView>> {
  const { CoreV1Api, KubeConfig, makeInformer }: ClientNode = await import(PACKAGE);
  return {
    start(scope: Scope, handlers: Handlers<PodView>): RunningInformer {
      const { server, namespace } = scope;
      const config = new KubeConfig();
      config.loadFromOptions({
        // The package accepts plain HTTP only with skipTLSVerify.
        clusters: [{ name: "stub", server, skipTLSVerify: true }],
        users: [{ name: "bench" }],
        contexts: [{ name: "bench", cluster: "stub", user: "bench" }],
        currentContext: "bench",
      });
      const api = config.makeApiClient(CoreV1Api);
      const list = () =>
        namespace === undefined
          ? api.listPodForAllNamespaces()
          : api.listNamespacedPod({ namespace });
      const informer = makeInformer(config, podsUrl({ ...scope, server: "" }), list);
      informer.on("add", (pod) => handlers.add(pod));
      informer.on("update", (pod) => handlers.update(pod));
      informer.on("error", (error) => {
        // If the first list fails, a retry fails too. After later errors the informer does not restart by itself.
        if (informer.list().length === 0) fail(error);
        setTimeout(() => informer.start(), 100);
      });
      informer.start();
      return { size: () => informer.list().length };
    },
    nameOf: (pod) => pod.metadata.name ?? "",
    podOf: (pod) => pod,
  };
}

function fail(error: unknown): never {
  console.error("error:", error);
  process.exit(1);
}
