/**
 * Recorded data of an operator with a thousand keys, hostile names and seeded faults.
 *
 * @module
 */

import type { Cause, Story } from "../../../src/operator/stories/mod.ts";
import type { Attention, KeyView, SeeSource, SeeState } from "../../../src/see/mod.ts";

/** A name that is markup, and an attempt to run a script. */
export const HOSTILE = "<img src=x onerror=alert(1)>";
/** A name with a mark that turns the writing. */
export const TURNED = "default/\u202eevil";

const START = Date.parse("2026-03-01T14:03:20Z");

/** Each seeded fault: its entry in the list of attention, and a part of the marked text that shows the cause. */
export const FAULTS: readonly (Attention & { readonly cause: string })[] = [
  {
    kind: "hot_loop",
    text: "status.seen is written by widgets in each reconcile, which causes the next one",
    remedy: "Write status.seen only if it changes, or leave it out.",
    controller: "widgets",
    key: "default/loop",
    since: time(-50_000),
    cause: "status.seen",
  },
  {
    kind: "backoff",
    text: 'failed 6 times: Deployment "web" is invalid: spec.replicas: Invalid value: -3',
    remedy: "Correct what the reconcile sends; the marked request was refused.",
    controller: "widgets",
    key: "default/broken",
    since: time(-190_000),
    cause: "deployments/web",
  },
  {
    kind: "gate_timeout",
    text: "the caches did not show configmaps default/late within 5 s",
    remedy: "See whether the watch of configmaps is behind.",
    controller: "widgets",
    key: "default/late",
    since: time(-7_000),
    cause: "until the caches held",
  },
  {
    kind: "stuck_finalizer",
    text: "the finalizer example.com/cleanup has not been removed for 12 min",
    remedy:
      "Read the error of the cleanup; remove the finalizer by hand only if there is nothing to clean up.",
    controller: "widgets",
    key: "default/stuck",
    since: time(-720_000),
    cause: "https://dns.example/zones",
  },
  {
    kind: "right_missing",
    text: "PATCH /apis/batch/v1/namespaces/default/jobs/denied was refused",
    remedy: "Add patch of jobs.batch to the role of the operator: kubeloop rights --write.",
    controller: "widgets",
    key: "default/denied",
    since: time(-30_000),
    cause: "jobs/denied",
  },
];

/** A fault of a watch, which no key shows. */
const WATCH_FAULT: Attention = {
  kind: "definition_missing",
  text: "the server does not know gizmos.example.com",
  remedy: "Apply the definition, and the watch begins by itself.",
  watch: "gizmos.example.com",
  since: time(-65_000),
};

function time(ms: number): string {
  return new Date(START + ms).toISOString();
}

function story(
  key: string,
  ms: number,
  more: Partial<Story> & { causes: readonly Cause[] },
): Story {
  return {
    controller: "widgets",
    key,
    attempt: 1,
    startedAt: time(ms),
    queuedMs: 3,
    durationMs: 12,
    requests: [],
    skippedWrites: 0,
    result: "success",
    ...more,
  };
}

function updated(key: string, changed: string[], by: string, count = 1): Cause {
  const resource = "widgets.example.com";
  return { why: "updated", resource, object: key, changed, by, count, waitedMs: 3 };
}

const RETRY: Cause = { why: "retry", count: 1, waitedMs: 2 };
const DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/web";

/** The stories of a key at a tick, the oldest first. */
function storiesOf(key: string, tick: number): Story[] {
  switch (key) {
    case "default/loop":
      return Array.from({ length: 8 + tick }, (_, index) =>
        story(key, -4_000 + index * 480, {
          causes: [updated(key, ["status.seen"], "widgets (status)", 1 + index % 3)],
          requests: [{
            method: "PATCH",
            path: "/apis/example.com/v1/namespaces/default/widgets/loop/status",
            code: 200,
            durationMs: 6,
            changed: true,
            sent: {
              fields: ["status.seen"],
              values: { status: { seen: time(-4_000 + index * 480) } },
            },
          }],
          skippedWrites: 1,
          skipped: [{ write: "apply", path: DEPLOYMENT }],
        }));
    case "default/broken":
      return Array.from({ length: 6 }, (_, index) =>
        story(key, -190_000 + 2 ** index * 3_000, {
          attempt: index + 1,
          causes: index === 0 ? [updated(key, ["spec.replicas"], "kubectl-edit")] : [RETRY],
          ...(index > 0 && { waits: { backoffMs: 2 ** index * 1_000, queueMs: 2, gateMs: 0 } }),
          requests: [
            { method: "GET", path: DEPLOYMENT, code: 200, durationMs: 4 },
            {
              method: "PATCH",
              path: DEPLOYMENT,
              code: 422,
              durationMs: 5,
              auditId: "0e8c5f0a-3f6b-4c1c-9a59-c5d1b6c7a001",
              sent: {
                fields: ["spec.replicas", "spec.template.spec.containers[web].image"],
                values: {
                  spec: {
                    replicas: -3,
                    template: { spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
                  },
                },
              },
            },
          ],
          result: "error",
          error: 'Deployment "web" is invalid: spec.replicas: Invalid value: -3: must be ≥ 0',
        }));
    case "default/late":
      return [
        story(key, -20_000, {
          causes: [updated(key, ["spec.size"], "argocd-controller")],
          requests: [{
            method: "PATCH",
            path: "/api/v1/namespaces/default/configmaps/late",
            code: 200,
            durationMs: 8,
            changed: true,
            sent: { fields: ["data.size"] },
          }],
        }),
        story(key, -7_000, {
          causes: [
            { why: "stale", count: 1, waitedMs: 5_000 },
            updated(key, ["metadata.labels"], "kubectl-label"),
          ],
          waits: { gateMs: 5_000, queueMs: 4, backoffMs: 0 },
          queuedMs: 5_004,
          result: "requeue_after",
          requeueAfterMs: 30_000,
        }),
      ];
    case "default/stuck":
      return Array.from({ length: 4 }, (_, index) =>
        story(key, -720_000 + index * 180_000, {
          attempt: index + 1,
          causes: index === 0
            ? [
              updated(key, ["metadata.deletionTimestamp", "metadata.finalizers"], "kubectl-delete"),
            ]
            : [RETRY],
          waits: { gateMs: 0, queueMs: 2, backoffMs: index * 60_000 },
          durationMs: 1_400,
          result: "error",
          error: "cleanup: DELETE https://dns.example/zones/stuck: 503 Service Unavailable",
        }));
    case "default/denied":
      return [
        story(key, -30_000, {
          attempt: 3,
          causes: [RETRY],
          waits: { gateMs: 0, queueMs: 2, backoffMs: 4_000 },
          requests: [{
            method: "PATCH",
            path: "/apis/batch/v1/namespaces/default/jobs/denied",
            code: 403,
            durationMs: 3,
            sent: { fields: ["spec.template"] },
          }],
          result: "error",
          error: 'jobs.batch "denied" is forbidden: User "widgets" cannot patch resource "jobs"',
        }),
      ];
    default:
      return Array.from(
        { length: 1 + Math.floor(tick / 20) % 3 },
        (_, index) =>
          story(key, -60_000 + index * 20_000, {
            causes: [
              updated(key, ["spec.replicas", 'metadata.labels["app.kubernetes.io/name"]'], HOSTILE),
              { why: "resync", count: 1, waitedMs: 1 },
            ],
            requests: [{
              method: "PATCH",
              path: DEPLOYMENT,
              code: 200,
              durationMs: 7,
              changed: false,
              sent: { fields: ["spec.replicas"] },
            }],
            result: "requeue_after",
            requeueAfterMs: 600_000,
          }),
      );
  }
}

/** The number of keys. */
export const KEYS = 1_000;

/** A {@linkcode SeeSource} with recorded data, and the actions that were taken. */
export class FixtureSource implements SeeSource {
  readonly acts: string[] = [];
  #tick = 0;
  readonly #paused = new Set<string>();
  readonly #keys: readonly string[] = [
    ...FAULTS.map(({ key }) => key!),
    `default/${HOSTILE}`,
    TURNED,
    ...Array.from(
      { length: KEYS - FAULTS.length - 2 },
      (_, index) => `team-${index % 7}/web-${index}`,
    ),
  ];
  readonly #listeners = new Set<() => void>();

  /** Changes the state, and calls the listeners. */
  advance(): void {
    this.#tick++;
    for (const listener of this.#listeners) listener();
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  state(): SeeState {
    const tick = this.#tick;
    const wave = (base: number, phase: number) =>
      Math.max(0, base * (1 + Math.sin((tick + phase) / 3) * 0.6));
    return {
      title: "widgets-operator",
      kind: "manager",
      phase: "leading",
      at: time(tick * 500),
      server: "https://10.96.0.1:443",
      watches: [
        {
          name: "widgets.example.com",
          phase: "watching",
          silentMs: 120,
          lagMs: 38,
          eventsPerSecond: wave(3.4, 0),
          reconnects: 0,
          queued: 0,
          objects: 1_000,
          controllers: ["widgets", "reports"],
        },
        {
          name: "deployments.apps",
          phase: "watching",
          silentMs: 40,
          lagMs: 6_200,
          eventsPerSecond: wave(120, 4),
          reconnects: 2,
          queued: 214,
          objects: 3_812,
          controllers: ["widgets"],
        },
        {
          name: "configmaps (namespace default)",
          phase: "watching",
          silentMs: 21_000,
          eventsPerSecond: 0,
          reconnects: 0,
          queued: 0,
          objects: 12,
          controllers: ["widgets"],
        },
        {
          name: "gizmos.example.com",
          phase: "retrying",
          eventsPerSecond: 0,
          reconnects: 9,
          queued: 0,
          objects: 0,
          controllers: ["reports"],
          problem: {
            text: "the server does not know gizmos.example.com",
            remedy: "Apply the definition, and the watch begins by itself.",
            at: time(-65_000),
          },
        },
      ],
      controllers: [
        {
          name: "widgets",
          resource: "widgets.example.com",
          queued: Math.round(wave(5, 1)),
          oldestMs: 340,
          delayed: 12,
          failing: 3,
          busy: Math.round(wave(3, 2)),
          workers: 8,
          reconcilesPerSecond: wave(31, 3),
          errorsPerSecond: wave(0.4, 1),
          isRunning: true,
        },
        {
          name: "reports",
          resource: "gizmos.example.com",
          queued: 0,
          delayed: 0,
          failing: 0,
          busy: 0,
          workers: 2,
          reconcilesPerSecond: 0,
          errorsPerSecond: 0,
          isRunning: false,
        },
      ],
      attention: [...FAULTS.map(({ cause: _, ...entry }) => entry), WATCH_FAULT],
      actions: ["reconcile", "pause", "resume"],
      notes: ["4,211 older stories were dropped."],
    };
  }

  keys({ controller, limit, text = "" }: Parameters<SeeSource["keys"]>[0]): ReturnType<
    SeeSource["keys"]
  > {
    if (controller !== undefined && controller !== "widgets") return { keys: [], total: 0 };
    const found = this.#keys.filter((key) => key.includes(text) || "widgets".includes(text));
    return { keys: found.slice(0, limit).map((key) => this.#view(key)), total: found.length };
  }

  stories({ controller, key }: Parameters<SeeSource["stories"]>[0]): readonly Story[] {
    return controller === "widgets" && this.#keys.includes(key) ? storiesOf(key, this.#tick) : [];
  }

  versions({ key }: Parameters<SeeSource["versions"]>[0]): ReturnType<SeeSource["versions"]> {
    if (key === TURNED) return undefined;
    const isDeleted = key === "default/stuck";
    const object = (replicas: number, seen: string, finalizers: string[]) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: {
        annotations: { note: HOSTILE },
        name: key.split("/")[1],
        namespace: key.split("/")[0],
        labels: { "app.kubernetes.io/name": "web", tier: "front" },
        ...(finalizers.length > 0 && { finalizers }),
        ...(isDeleted && replicas === 3 && { deletionTimestamp: time(-720_000) }),
      },
      spec: {
        image: "nginx:1.29",
        replicas,
        ports: [{ name: "http", port: 80 }, { name: "metrics", port: 9_090 }],
        resources: { limits: { cpu: "500m", memory: "128Mi" } },
      },
      status: { observedGeneration: 4, seen },
    });
    const finalizers = isDeleted ? ["example.com/cleanup"] : [];
    return {
      before: object(2, time(-2_000), finalizers),
      after: object(3, time(-1_000), finalizers),
    };
  }

  act({ controller, key, name }: Parameters<SeeSource["act"]>[0]): Promise<string> {
    this.acts.push(`${name} ${controller} ${key}`);
    if (name === "pause") this.#paused.add(key);
    if (name === "resume") this.#paused.delete(key);
    return Promise.resolve(
      name === "reconcile" ? `${key} is in the queue.` : `${key} is ${name}d.`,
    );
  }

  export({ controller, form, key }: Parameters<SeeSource["export"]>[0]): string {
    return JSON.stringify({ form, stories: this.stories({ controller, key }) });
  }

  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  #view(key: string): KeyView {
    const stories = storiesOf(key, this.#tick);
    const last = stories.at(-1)!;
    return {
      controller: "widgets",
      key,
      result: this.#paused.has(key) ? "paused" : last.result,
      at: last.startedAt,
      stories: stories.length,
      ...(last.requeueAfterMs !== undefined && {
        nextAt: new Date(Date.parse(last.startedAt) + last.requeueAfterMs).toISOString(),
      }),
      ...(last.error !== undefined && { error: last.error }),
      ...(this.#paused.has(key) && { paused: "paused by a person, until it is resumed" }),
    };
  }
}
