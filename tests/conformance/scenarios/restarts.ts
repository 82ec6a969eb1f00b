import { close, merge, post, type Step, type StepScenario, watch } from "../step.ts";
import { configMap, core, namespaced } from "./_objects.ts";

const NS = "suite-restarts";
const MAPS = core(NS, "configmaps");
const OLD = `${MAPS}?watch=1&resourceVersion={{old.metadata.resourceVersion}}`;
const AS_PARTIAL = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
const AS_TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** Opens a watch and waits until the server ends it. */
function ended(name: string, path: string, headers?: Record<string, string>): readonly Step[] {
  return [watch(name, path, headers === undefined ? {} : { headers }), close(name)];
}

/** Watches across a restart of the server, which forgets what its watch cache had. */
export const restarts: StepScenario = {
  name: "restarts",
  setting: {},
  steps: [
    namespaced(NS),
    post(MAPS, configMap("a"), { save: "old" }),
    ...[1, 2, 3].map((n) => merge(`${MAPS}/a`, { data: { n: `${n}` } }, { save: "newest" })),
    ...ended("same process", `${OLD}&timeoutSeconds=2`),
    watch("killed", `${MAPS}?watch=1&resourceVersion={{newest.metadata.resourceVersion}}`),
    { restart: true },
    close("killed"),
    ...ended("too old", OLD),
    ...ended("too old, partial", OLD, AS_PARTIAL),
    ...ended("too old, table", OLD, AS_TABLE),
    ...ended("too old, bookmarks", `${OLD}&allowWatchBookmarks=true`),
    watch(
      "too old, initial events",
      `${OLD}&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ),
    close("too old, initial events", 2),
    ...ended("first revision", `${MAPS}?watch=1&resourceVersion=1`),
    ...ended(
      "newest revision",
      `${MAPS}?watch=1&resourceVersion={{newest.metadata.resourceVersion}}&timeoutSeconds=1`,
    ),
  ],
};
