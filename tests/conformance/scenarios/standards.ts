import { del, get, merge, post, type RequestStep, type StepScenario, strategic } from "../step.ts";
import { core, pod } from "./_objects.ts";

const NS = "suite-standards";
const LABEL = "pod-security.kubernetes.io/";
const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/c";

const namespace = (name: string, levels: Readonly<Record<string, string>>): RequestStep =>
  post("/api/v1/namespaces", {
    metadata: {
      name,
      labels: Object.fromEntries(
        Object.entries(levels).map(([key, value]) => [LABEL + key, value]),
      ),
    },
  }, { unseen: true });

/** Creates a Pod where the latest standards are enforced, and where older ones are. */
const both = (spec: object, metadata: object = {}): RequestStep[] =>
  [`${NS}-new`, `${NS}-old`].map((name) =>
    post(`${core(name, "pods")}?dryRun=All`, pod("p", spec, metadata))
  );

const container = (parts: object) => ({ containers: [{ name: "c", image: "i:1", ...parts }] });

const secured = (securityContext: object) => container({ securityContext });

/** The Pod security standards, by their versions, and what happens to Pods that are there already. */
export const standards: StepScenario = {
  name: "standards",
  steps: [
    namespace(`${NS}-new`, { enforce: "baseline" }),
    namespace(`${NS}-old`, { enforce: "baseline", "enforce-version": "v1.25" }),
    namespace(NS, {}),
    ...both({ securityContext: { appArmorProfile: { type: "Unconfined" } } }),
    ...both(secured({ appArmorProfile: { type: "Unconfined" } })),
    ...both({}, { annotations: { [APP_ARMOR]: "unconfined" } }),
    ...both({}, { annotations: { [APP_ARMOR]: "localhost/x" } }),
    ...both({ securityContext: { seLinuxOptions: { type: "spc_t" } } }),
    ...both({ securityContext: { seLinuxOptions: { user: "u", role: "r" } } }),
    ...both(secured({ seLinuxOptions: { type: "container_engine_t" } })),
    ...both(container({ livenessProbe: { httpGet: { host: "127.0.0.1", port: 80 } } })),
    ...both(container({
      readinessProbe: { tcpSocket: { host: "a.b", port: 80 } },
      lifecycle: { postStart: { httpGet: { host: "x", port: 1 } } },
    })),
    ...both({ securityContext: { sysctls: [{ name: "net.ipv4.tcp_rmem", value: "1" }] } }),
    ...both({ hostUsers: false, ...secured({ procMount: "Unmasked" }) }),
    post(core(NS, "pods"), pod("p1", { hostPID: true }), { unseen: true }),
    post(core(NS, "pods"), pod("p2", { hostPID: true }), { unseen: true }),
    post(core(NS, "pods"), pod("p3"), { unseen: true }),
    merge(`/api/v1/namespaces/${NS}`, {
      metadata: { labels: { [`${LABEL}enforce`]: "baseline" } },
    }),
    merge(`/api/v1/namespaces/${NS}?dryRun=All`, {
      metadata: { labels: { [`${LABEL}enforce`]: "restricted" } },
    }),
    merge(`${core(NS, "pods")}/p1`, { metadata: { labels: { a: "b" } } }),
    strategic(`${core(NS, "pods")}/p1`, {
      spec: container({ image: "i:2" }),
    }),
    post(
      core(NS, "pods"),
      pod("profile", {}, { annotations: { [APP_ARMOR]: "runtime/default" } }),
    ),
    get(`${core(NS, "pods")}/profile`),
    del(`${core(NS, "pods")}/profile`, { gracePeriodSeconds: 0 }),
  ],
};
