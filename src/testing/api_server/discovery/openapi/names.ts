/** The packages whose definitions are not called `io.k8s.api.<package>.<version>`. */
const PACKAGES: Readonly<Record<string, string>> = {
  meta: "io.k8s.apimachinery.pkg.apis.meta.v1",
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

/** The names of definitions that are not structs. */
export const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
export const INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
export const RAW_EXTENSION = "io.k8s.apimachinery.pkg.runtime.RawExtension";

/** Returns the name of a definition of meta/v1. */
export function metaName(kind: string): string {
  return `${PACKAGES["meta"]}.${kind}`;
}

/** Returns the name of the definition of a struct, given its name in the tables, as in `core.Pod`. */
export function definitionName(id: string): string {
  const dot = id.lastIndexOf(".");
  const [name, kind] = [id.slice(0, dot), id.slice(dot + 1)];
  if (Object.hasOwn(PACKAGES, name)) return `${PACKAGES[name]}.${kind}`;
  const [group, version = "v1"] = name.split("/");
  return `io.k8s.api.${group}.${version}.${kind}`;
}

/** Returns the name of the definition of a custom resource, with the labels of its group in reverse order. */
export function customName(group: string, version: string, kind: string): string {
  return [...group.split(".").reverse(), version, kind].join(".");
}

/** Returns a text without what an identifier cannot have. Each word after the first begins with a capital letter. */
export function identifier(text: string, capitalized: boolean): string {
  const words = text.split(/[^\p{L}\p{Nd}_]+/u);
  return words.map((word, index) => index > 0 || capitalized ? capital(word) : word).join("");
}

/** Returns the identifier of a group, as in `rbacAuthorization` for `rbac.authorization.k8s.io`. */
export function groupIdentifier(group: string, capitalized: boolean): string {
  return identifier(group.replace(/\.k8s\.io$/, ""), capitalized);
}

/** Returns a text that begins with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
