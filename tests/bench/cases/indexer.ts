import type { Pod } from "@kubeloop/controller";
import type { Case, Measured, Run } from "./case.ts";

const NAMESPACES = 50;
const ROUNDS = 20;

/** The cache by itself, indexed by namespace and by a label. */
export const indexer: Case = {
  name: "indexer",
  title: ({ count }) => `Indexer with ${count.toLocaleString("en")} Pods and two indices`,
  figures: [
    { name: "updateNs", title: "update", unit: "ns" },
    { name: "addNs", title: "add", unit: "ns" },
    { name: "getNs", title: "getByKey", unit: "ns" },
    { name: "byIndexNs", title: "byIndex, per Pod", unit: "ns" },
    { name: "listNs", title: "list, per Pod", unit: "ns" },
    { name: "replaceNs", title: "replace, per Pod", unit: "ns" },
  ],
  clients: ["kubeloop"],
  size: { pods: 0, count: 10_000 },
  measure,
};

async function measure({ size: { count } }: Run): Promise<Measured> {
  const { metaNamespaceIndexFunc, metaNamespaceKeyFunc, NAMESPACE_INDEX, newIndexer } =
    await import("@kubeloop/controller/cache");
  const cache = newIndexer<Pod>(metaNamespaceKeyFunc, {
    [NAMESPACE_INDEX]: metaNamespaceIndexFunc,
    app: (pod) => [pod.metadata.labels?.["app"] ?? ""],
  });
  const pods = Array.from({ length: ROUNDS }, (_, round) => podsOf(round, count));
  const [first = []] = pods;
  const keys = first.map((pod) => metaNamespaceKeyFunc(pod));
  const perPod = (times: number, work: () => void) => {
    const startedAt = performance.now();
    work();
    return (performance.now() - startedAt) * 1e6 / (times * count);
  };
  const addNs = perPod(1, () => first.forEach((pod) => cache.add(pod)));
  const updateNs = perPod(ROUNDS, () => pods.flat().forEach((pod) => cache.update(pod)));
  let found = 0;
  const repeat = (work: () => number) => () => {
    for (let round = 0; round < ROUNDS; round++) found += work();
  };
  const getNs = perPod(
    ROUNDS,
    repeat(() => keys.filter((key) => cache.getByKey(key) !== undefined).length),
  );
  const byIndexNs = perPod(
    ROUNDS,
    repeat(() => {
      let inAll = 0;
      for (let i = 0; i < NAMESPACES; i++) {
        inAll += cache.byIndex(NAMESPACE_INDEX, `ns-${i}`).length;
      }
      return inAll;
    }),
  );
  const listNs = perPod(ROUNDS, repeat(() => cache.list().length));
  const replaceNs = perPod(ROUNDS, () => pods.forEach((list) => cache.replace(list, "1")));
  if (found !== 3 * ROUNDS * count) throw new Error(`Found ${found} Pods`);
  return { updateNs, addNs, getNs, byIndexNs, listNs, replaceNs };
}

function podsOf(round: number, count: number): Pod[] {
  return Array.from({ length: count }, (_, i): Pod => ({
    metadata: {
      name: `pod-${i}`,
      namespace: `ns-${i % NAMESPACES}`,
      resourceVersion: `${round}`,
      labels: { app: `app-${i % 400}` },
    },
  }));
}
