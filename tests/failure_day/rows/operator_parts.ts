import { assert, assertEquals } from "@std/assert";
import { abortable, safeLogger } from "../../../src/base/mod.ts";
import {
  AppliedMemory,
  ApplyPass,
  ensureFinalizer,
  EventRecorder,
  EventsV1,
  installDefinitions,
  migrateDefinitions,
  removeFinalizer,
  requireRights,
  StatusDraft,
} from "../../../src/operator/mod.ts";
import {
  type Cached,
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
} from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_FIELD, NO_FUNCTION, NO_OBJECT, NO_WRITE } from "./_reasons.ts";
import { object, prepare, type Widget, WIDGET_SPEC, Widgets } from "./_widgets.ts";

const FINALIZER = "acme.io/clean";

/** The Widgets with a second version, in which the server stores them. */
const StoredInV2 = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: WIDGET_SPEC,
  versions: [{ name: "v2", spec: WIDGET_SPEC, storage: true }],
  conversion: "None",
});

function widgetOf({ server }: Day, name = "a"): Cached<Widget> {
  return server.get(Widgets, name, namespace) as unknown as Cached<Widget>;
}

/** Reports whether the Widget `a` is still the object that the subject received. */
function isTheSame(day: Day): boolean {
  return day.part("widget", () => widgetOf(day)).metadata.uid === widgetOf(day).metadata.uid;
}

/** The parts of a manager by themselves. */
export const operatorParts: readonly Row[] = [
  {
    name: "ApplyPass",
    covers: [
      "ApplyPass.apply",
      "ApplyPass.remove",
      "ApplyPass.prune",
      "ApplyPassOptions.lookup",
      "ApplyPassOptions.children",
      "ApplyPassOptions.onSkipped",
    ],
    prepare,
    start: async (day) => {
      const { client, server, signal, version } = day;
      const find = (name: string) => server.get(ConfigMaps, name, namespace) as never;
      const pass = new ApplyPass({
        client,
        fieldManager: "m",
        owner: { resource: Widgets, object: widgetOf(day) },
        memory: new AppliedMemory(),
        logger: safeLogger(client.environment.logger),
        signal,
        lookup: day.user("lookup", (_resource, _namespace, name: string) => find(name)),
        children: day.user(
          "children",
          () =>
            server.objects(ConfigMaps, namespace).filter(({ metadata }) =>
              metadata.ownerReferences?.[0]?.uid === widgetOf(day).metadata.uid
            ) as never,
        ),
        onSkipped: day.user("onSkipped", () => {}),
      });
      const map = (name: string) => ({
        metadata: { name, namespace },
        data: { size: "1", ...(version === 1 && { old: "" }) },
      });
      await pass.apply(ConfigMaps, map("kept"));
      await pass.apply(ConfigMaps, map("kept"));
      if (find("removed") !== undefined) await pass.remove(ConfigMaps, find("removed"));
      await pass.prune([ConfigMaps]);
      return find("kept");
    },
    normal: (_day, kept) => assertEquals((kept as { data: { size: string } }).data.size, "1"),
    object,
    written: ({ server }) => server.get(ConfigMaps, "kept", namespace),
  },
  {
    name: "StatusDraft",
    covers: [
      "StatusDraft.write",
      "StatusDraft.status",
      "StatusConditions.write",
      "StatusDraftOptions.onEarlyWrite",
      "StatusDraftOptions.onSkipped",
    ],
    prepare,
    start: async (day) => {
      const { client, clock, log, signal } = day;
      const draft = new StatusDraft<Widget>({
        client,
        clock,
        logger: log,
        resource: Widgets,
        object: day.part("widget", () => widgetOf(day)),
        fieldManager: "m",
        memory: new AppliedMemory(),
        onEarlyWrite: day.user("onEarlyWrite", (writing: Promise<void>) => writing),
        onSkipped: day.user("onSkipped", () => {}),
      });
      await abortable(draft.status({ ready: 1 }).write(), signal);
      draft.status({ ready: 2 }).condition("Ready", "True", "AllUp");
      await draft.write({ signal });
      await draft.write({ signal });
    },
    normal: (day) => assertEquals(widgetOf(day).status?.ready, isTheSame(day) ? 2 : undefined),
    object,
    not: {
      ...NO_FIELD,
      abort: "its early writes are made before the reconcile ends, and have the limits of requests",
    },
  },
  {
    name: "ensureFinalizer() and removeFinalizer()",
    covers: ["ensureFinalizer", "removeFinalizer"],
    prepare,
    start: async (day) => {
      const { client, signal } = day;
      const options = { fieldManager: "m", signal };
      const widget = day.part("widget", () => widgetOf(day));
      const held = await ensureFinalizer(client, Widgets, widget, FINALIZER, options);
      if (held === undefined) return;
      await removeFinalizer(client, Widgets, held, FINALIZER, options);
    },
    // The finalizer of an object that was created with it is not that of the old one.
    normal: (day) => {
      if (isTheSame(day)) assertEquals(widgetOf(day).metadata.finalizers ?? [], []);
    },
    object,
    not: { ...NO_FIELD, ...NO_FUNCTION },
  },
  {
    name: "EventRecorder",
    covers: ["EventRecorder.run", "EventRecorder.flush", "EventRecorder.event"],
    prepare,
    start: async (day) => {
      const { client, signal } = day;
      const recorder = day.part("recorder", () => {
        const recorder = new EventRecorder(client, { reportingController: "acme.io/widgets" });
        const report = { type: "Normal", reason: "Seen", note: "saw it" } as const;
        for (const name of ["a", "b"]) recorder.event(Widgets, widgetOf(day, name), report);
        return recorder;
      });
      const flushed = abortable(recorder.flush(), signal);
      flushed.catch(() => {});
      await recorder.run({ signal });
      await flushed.catch(() => {});
    },
    isDone: ({ server, time }) =>
      time.now() > 1_000 && server.objects(EventsV1, namespace).length >= 1,
    stopMs: 5_000,
    limitMs: 200_000,
    object,
    not: { ...NO_FIELD, ...NO_FUNCTION },
  },
  {
    name: "requireRights()",
    covers: ["requireRights"],
    start: async ({ client, signal }) => {
      await requireRights(client, [{
        resource: ConfigMaps,
        verbs: ["get", "list"],
        namespace,
      }], { signal });
    },
    not: { ...NO_WRITE, ...NO_FUNCTION, ...NO_OBJECT },
  },
  {
    name: "installDefinitions()",
    covers: ["installDefinitions"],
    start: async ({ client, signal }) => {
      await installDefinitions(client, [Widgets], { signal });
    },
    normal: ({ server }) => {
      const found = server.get(CustomResourceDefinitions, "widgets.acme.io");
      assert(found?.status?.conditions?.some(({ type }) => type === "Established"));
    },
    limitMs: 200_000,
    object: { resource: CustomResourceDefinitions, name: "widgets.acme.io" },
    not: { ...NO_FIELD, ...NO_FUNCTION },
  },
  {
    name: "migrateDefinitions()",
    covers: ["migrateDefinitions"],
    prepare: async (client) => {
      await prepare(client);
      await installDefinitions(client, [StoredInV2]);
    },
    start: ({ client, signal }) => migrateDefinitions(client, [StoredInV2], { signal }),
    normal: ({ server }) => {
      const found = server.get(CustomResourceDefinitions, "widgets.acme.io");
      assertEquals(found?.status?.storedVersions, ["v2"]);
    },
    limitMs: 400_000,
    object,
    not: { ...NO_FIELD, ...NO_FUNCTION },
  },
];
