import { get, post, type Step } from "../../step.ts";

/** Discovery, versions and health. */
export const discovery: readonly Step[] = [
  post("/api/v1/namespaces", { metadata: { name: "wire" } }, { unseen: true }),
  get("/version"),
  get("/api"),
  get("/apis/apps"),
  get("/apis/coordination.k8s.io/v1"),
  get("/healthz"),
  get("/version"),
  get("/version", { as: "anonymous" }),
  get("/readyz", { as: "anonymous" }),
];
