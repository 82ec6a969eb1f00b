import { assert, assertEquals } from "@std/assert";
import { encodeBase64 } from "../../src/base/mod.ts";
import { type CauseEvent, PendingCauses, StoryBook } from "@kubeloop/controller/operator";
import { type SeededRandom, VirtualClock } from "@kubeloop/testing";
import { ManagerSource, type ObservedController } from "../../src/see/mod.ts";
import { maskedValue } from "../../src/fields/mod.ts";
import { forEachSeed } from "../support/seeded_runs.ts";
import { exportForms, managerOf } from "./_observed.ts";

const STORIES = 10_000;

/** The beginning of each value. Nothing else has it. */
const MARK = "Qx7vKqZ2w";
/** The mark in base64, for each place at which it may begin. */
const MARKS_IN_BASE64 = ["", "a", "ab"].map((before) => btoa(before + MARK).slice(4, 12));

/** Returns a value of a Secret. */
function secretValue(random: SeededRandom): string {
  return MARK + Math.floor(random.next() * 1e9);
}

Deno.test("a page gets no value of a Secret in 10,000 stories about Secrets and ConfigMaps", async () => {
  await forEachSeed(1, serveStories);
});

/** Serves stories in all ways, and looks for values of Secrets. */
function serveStories(random: SeededRandom): void {
  const clock = new VirtualClock();
  const stories = new StoryBook({ clock, maxBytes: 2 ** 30, recordObjects: true });
  stories.keepValues();
  const pending = new PendingCauses(clock);
  const objects = new Map<string, unknown>();
  for (let i = 0; i < STORIES; i++) {
    const name = `s${i % 100}`;
    const value = secretValue(random);
    const data = { password: encodeBase64(new TextEncoder().encode(value)), [`k${i % 7}`]: value };
    const secret = (version: number) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name,
        namespace: "default",
        resourceVersion: `${version}`,
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ data }),
        },
      },
      data,
      stringData: { plain: value },
    });
    objects.set(`default/${name}`, secret(i));
    const isSecret = random.next() < 0.5;
    const cause: CauseEvent = isSecret
      ? {
        why: "updated",
        resource: "secrets",
        object: `default/${name}`,
        before: secret(i),
        after: { ...secret(i + 1), data: { more: value } } as never,
      }
      : {
        why: "updated",
        resource: "configmaps",
        object: `default/${name}`,
        before: { metadata: { name, resourceVersion: "1" }, data: { a: "1" } } as never,
        after: { metadata: { name, resourceVersion: "2" }, data: { a: "2" } } as never,
      };
    pending.add(name, cause);
    const recorder = stories.begin({
      controller: isSecret ? "secrets" : "settings",
      key: `default/${name}`,
      taken: pending.take(name),
    });
    const bodies: [string, unknown][] = [
      [`/api/v1/namespaces/default/secrets/${name}`, secret(i)],
      ["/api/v1/namespaces/default/secrets", [{ op: "add", path: "/data/x", value }]],
      ["/api/v1/namespaces/default/serviceaccounts/a/token", { status: { token: value } }],
      ["/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: value } }],
      ["/api/v1/namespaces/default/configmaps/a", { data: { "db.password": value, color: "red" } }],
      ["/api/v1/namespaces/default/pods", {
        spec: {
          containers: [{
            name: "a",
            args: [`--token=${value}`],
            env: [{ name: "API_KEY", value }, { name: "MODE", value: "fast" }],
          }],
        },
      }],
      ["/api/v1/namespaces/default/configmaps/b", [{
        op: "replace",
        path: "/data/clientSecret",
        value,
      }]],
    ];
    for (const [path, body] of bodies) {
      const url = `https://10.0.0.1${path}?fieldValidation=${value}`;
      recorder.requested({
        method: "PATCH",
        url,
        code: 200,
        durationMs: 1,
        body: JSON.stringify(body),
      });
    }
    recorder.end({ result: "success" });
  }
  const controllers = ["secrets", "settings"].map((name): Partial<ObservedController> => ({
    name,
    resource: {
      group: "",
      version: "v1",
      kind: name === "secrets" ? "Secret" : "ConfigMap",
      plural: name === "secrets" ? "secrets" : "configmaps",
      namespaced: true,
    },
    versions: (key) =>
      name === "secrets" ? { after: maskedValue(objects.get(key), "secrets") } : undefined,
  }));
  const source = new ManagerSource(managerOf({ clock, stories, controllers }));
  const served: string[] = [JSON.stringify(source.state())];
  for (const controller of ["secrets", "settings"]) {
    served.push(JSON.stringify(source.keys({ controller, limit: 1_000 })));
    for (let i = 0; i < 100; i++) {
      const subject = { controller, key: `default/s${i}` };
      served.push(JSON.stringify(source.stories(subject)));
      served.push(JSON.stringify(source.versions(subject) ?? null));
      for (const form of exportForms) served.push(source.export({ ...subject, form }));
    }
  }
  const all = served.join("\n") + stories.text();
  assertEquals(stories.snapshot().stories, STORIES);
  assert(all.includes("db.password") && all.includes('"fast"'), "nothing was served");
  for (const mark of [MARK, ...MARKS_IN_BASE64]) {
    const at = all.indexOf(mark);
    assert(at < 0, `A value of a Secret was served: ${all.slice(Math.max(0, at - 300), at + 50)}`);
  }
}
