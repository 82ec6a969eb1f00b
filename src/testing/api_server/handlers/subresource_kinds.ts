import { DEFAULT_RELEASE } from "../release/mod.ts";
import { type KindInfo, schemasOf } from "../schema/mod.ts";

/** The kind of `pods/binding`. */
export const BINDING: KindInfo = kindOf("", "Binding");

/** The kind of `pods/eviction`. */
export const EVICTION: KindInfo = kindOf("policy", "Eviction");

/** The kind of the scale subresource. */
export const SCALE: KindInfo = kindOf("autoscaling", "Scale");

/** The kind of `serviceaccounts/token`. */
export const TOKEN_REQUEST: KindInfo = kindOf("authentication.k8s.io", "TokenRequest");

/** Returns the kind of a subresource's body, which is never stored: it is the same in all releases. */
function kindOf(group: string, kind: string): KindInfo {
  const release = DEFAULT_RELEASE;
  const schema = schemasOf(release.minor).kind(group, "v1", kind)!;
  const plural = `${kind.toLowerCase()}s`;
  return { group, version: "v1", kind, plural, namespaced: true, schema, release };
}
