import { getObject, getOwn, getString, isObject, type JsonObject } from "../../values/mod.ts";

/** Where a webhook is called. */
export interface WebhookTarget {
  /** The URL, without a query. */
  readonly url: string;
  /** The certificates of the `caBundle`, as PEM; empty if there is none. */
  readonly caBundle: string;
  /** The service that the URL names; absent if the configuration has a URL. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
}

/** Returns where the `clientConfig` of `webhook` points to. It must be valid. */
export function targetOf(webhook: JsonObject): WebhookTarget {
  const config = getObject(webhook, "clientConfig");
  const service = getOwn(config, "service");
  const caBundle = decodeBundle(getString(config, "caBundle"));
  if (!isObject(service)) {
    const url = getString(config, "url");
    // A URL without a path means the root.
    return { url: url.includes("/", "https://".length) ? url : `${url}/`, caBundle };
  }
  const [namespace, name] = [getString(service, "namespace"), getString(service, "name")];
  const port = Number(getOwn(service, "port") ?? 443);
  const path = getString(service, "path");
  return {
    url: `https://${name}.${namespace}.svc:${port}${path.startsWith("/") ? "" : "/"}${path}`,
    caBundle,
    service: { namespace, name, port },
  };
}

function decodeBundle(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
