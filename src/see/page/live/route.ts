import type { AttentionKind } from "../../mod.ts";

/** The place of a page, which its hash names. */
export type Route =
  | { readonly kind: "overview"; readonly watch?: string | undefined }
  | {
    readonly kind: "key";
    readonly controller: string;
    readonly key: string;
    /** The kind of the attention that the place was opened for. */
    readonly about?: string | undefined;
  };

/** Parses a hash: `#/key/widgets/default/web?about=backoff`, or `#/watch/pods`. All else is the overview. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [kind, ...rest] = path.split("/").map(decode);
  if (kind === "key" && rest.length > 1) {
    const [controller = "", ...key] = rest;
    const about = new URLSearchParams(query).get("about") ?? undefined;
    return { kind: "key", controller, key: key.join("/"), about };
  }
  if (kind === "watch" && rest.length > 0) return { kind: "overview", watch: rest.join("/") };
  return { kind: "overview" };
}

/** Returns the hash of a key. A slash in a key divides the namespace from the name. */
export function keyHash(controller: string, key: string, about?: AttentionKind): string {
  const path = ["key", controller, ...key.split("/")].map(encodeURIComponent).join("/");
  return `#/${path}${about === undefined ? "" : `?about=${about}`}`;
}

/** Returns the hash of a watch. */
export function watchHash(name: string): string {
  return `#/watch/${encodeURIComponent(name)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
