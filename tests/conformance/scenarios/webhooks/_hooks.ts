import { del, post, type RequestStep } from "../../step.ts";
import type { Scripts } from "../../scripted_webhooks.ts";

const HOOKS = "/apis/admissionregistration.k8s.io/v1";

/** The type of an admission webhook. */
export type HookType = "mutating" | "validating";

/** A rule for all requests in namespaces. */
export const EVERYTHING = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*/*"],
  scope: "Namespaced",
};

/** A rule for creates of ConfigMaps. */
export const NEW_MAPS = {
  operations: ["CREATE"],
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["configmaps"],
};

/** The webhooks of one scenario: they are called only for requests in its namespace. */
export class Hooks {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /** Creates the namespace. */
  get begin(): RequestStep[] {
    return [post("/api/v1/namespaces", { metadata: { name: this.namespace } }, { unseen: true })];
  }

  /**
   * Returns a webhook that is called for objects with its name as a label.
   *
   * @param fields Replace fields of the webhook.
   */
  webhook(type: HookType, name: string, fields: object = {}): Record<string, unknown> {
    return {
      name: `${name}.example.com`,
      clientConfig: { url: `{{hooks.url}}/${type}/${name}`, caBundle: "{{hooks.ca}}" },
      rules: [NEW_MAPS],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": this.namespace } },
      objectSelector: { matchLabels: { [name]: "on" } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...fields,
    };
  }

  /** Creates a configuration of one webhook. */
  install(type: HookType, name: string, fields: object = {}): RequestStep {
    return this.configure(type, `${this.namespace}-${name}`, [this.webhook(type, name, fields)]);
  }

  /** Creates a configuration. */
  configure(type: HookType, name: string, webhooks: readonly object[]): RequestStep {
    const path = `${HOOKS}/${type}webhookconfigurations`;
    const labels = { scenario: this.namespace };
    return post(path, { metadata: { name, labels }, webhooks }, { unseen: true });
  }

  /** Deletes all configurations of the scenario. */
  get end(): RequestStep[] {
    return ["mutating", "validating"].map((type) => {
      const path = `${HOOKS}/${type}webhookconfigurations`;
      return del(`${path}?labelSelector=scenario%3D${this.namespace}`, undefined, { unseen: true });
    });
  }

  /** Waits until the server calls the webhooks that are installed before. */
  get ready(): RequestStep[] {
    const types: readonly HookType[] = ["mutating", "validating"];
    return types.flatMap((type) => {
      const name = `ready-${type}`;
      const probe = { metadata: { name, labels: { [name]: "on" } } };
      const path = `/api/v1/namespaces/${this.namespace}/configmaps?dryRun=All`;
      return [this.install(type, name), post(path, probe, { unseen: true, until: "is ready" })];
    });
  }

  /** Returns `scripts` with those of {@linkcode Hooks.ready}. */
  scripts(scripts: Scripts): Scripts {
    const deny = () => ({ allowed: false, status: { message: "is ready" } });
    return { ...scripts, "mutating/ready-mutating": deny, "validating/ready-validating": deny };
  }

  /** A ConfigMap with labels of webhooks. */
  map(name: string, hooks: readonly string[] = [], fields: object = {}): Record<string, unknown> {
    const labels = Object.fromEntries(hooks.map((hook) => [hook, "on"]));
    return { metadata: { name, ...(hooks.length === 0 ? {} : { labels }) }, ...fields };
  }

  /** The path of the ConfigMaps. */
  get maps(): string {
    return `/api/v1/namespaces/${this.namespace}/configmaps`;
  }
}

/** Returns the part of a response that changes the object. */
export function patch(...operations: unknown[]): object {
  return { allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) };
}

/** Allows a request. */
export function allow(): object {
  return { allowed: true };
}
