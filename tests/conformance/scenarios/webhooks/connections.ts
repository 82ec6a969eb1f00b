import { get, post, type RequestStep, type StepScenario } from "../../step.ts";
import { core, pod } from "../_objects.ts";
import { allow, EVERYTHING, Hooks, patch } from "./_hooks.ts";

const NS = "hooks-connections";
const hooks = new Hooks(NS);
const pods = core(NS, "pods");
const services = core(NS, "services");

const denied = () => ({ allowed: false, status: { code: 403, message: "no connection" } });

/** A rule for connections to one subresource. */
const rule = (...resources: string[]): object => ({
  objectSelector: {},
  rules: [{ ...EVERYTHING, operations: ["CONNECT"], resources }],
});

const WEBSOCKET = {
  headers: {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "v4.channel.k8s.io",
  },
};

const connections_: readonly RequestStep[] = [
  get(`${pods}/p/exec?command=a&command=b&container=c&stdin=true&stdout=1&tty=false`),
  post(`${pods}/p/exec?command=ls&stdout=true&stderr=true`, undefined),
  get(`${pods}/p/exec`),
  get(`${pods}/p/exec?stdout=maybe`),
  get(`${pods}/p/exec?container=none&command=a`),
  get(`${pods}/none/exec?command=a`),
  get(`${pods}/p/attach?stdin=true&stdout=true&container=c`),
  post(`${pods}/p/attach?stdout=true`, undefined),
  get(`${pods}/p/portforward?ports=80&ports=81`),
  get(`${pods}/p/portforward?ports=80,81`),
  get(`${pods}/p/portforward?ports=x`),
  post(`${pods}/p/portforward`, undefined),
  get(`${pods}/p/exec?dryRun=All&command=a`),
  get(`${pods}/denied/exec?command=a`),
  get(`${pods}/p/proxy`),
  get(`${pods}/p/proxy/some/path?x=y`),
  post(`${pods}/p:80/proxy/a`, "{}"),
  get(`${pods}/https:p:443/proxy/`),
  get(`${pods}/none/proxy`),
  get(`${services}/s:81/proxy/path/?q=1`),
  get(`${services}/none/proxy`),
  get(`${pods}/p/exec?command=a`, WEBSOCKET),
  get(`${pods}/p/log`),
];

/** The reviews for connections, and their denials. */
export const connections: StepScenario = {
  name: "hooks-connections",
  webhooks: hooks.scripts({
    "mutating/see": allow,
    "validating/see": allow,
    "validating/deny": ({ name, subResource }) =>
      name === "denied" || subResource === "attach" ? denied() : allow(),
    "mutating/change": ({ name }) =>
      name === "changed" ? patch({ op: "add", path: "/command", value: ["x"] }) : allow(),
  }),
  steps: [
    ...hooks.begin,
    post(pods, pod("p"), { unseen: true }),
    post(pods, pod("denied"), { unseen: true }),
    post(pods, pod("changed"), { unseen: true }),
    post(services, { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } }, { unseen: true }),
    hooks.install("mutating", "see", { rules: [EVERYTHING], objectSelector: {} }),
    hooks.install("mutating", "change", rule("pods/exec")),
    hooks.install("validating", "deny", rule("pods/exec", "pods/attach")),
    hooks.install("validating", "see", rule("*/*")),
    ...hooks.ready,
    ...connections_,
    get(`${pods}/changed/exec?command=a`),
    get(`${pods}/changed/exec?command=a&dryRun=All`),
    ...hooks.end,
  ],
};
