/** A custom resource, as `acme.io/v1/Widget` names it. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The maximum length of a kind: the name of the operator, `KIND-operator`, is a label value. */
const MAX_KIND_LENGTH = 50;

/** The maximum length of a group: with a plural before it, it is the name of an object. */
const MAX_GROUP_LENGTH = 180;

/** Names that the generated code imports, and names of JavaScript's own types. */
const TAKEN: ReadonlySet<string> = new Set([
  ..."ApplyConfiguration Cached ObjectOf Outside FakeOutside Client Manager ManagerOptions".split(
    " ",
  ),
  ..."Array BigInt Boolean Function Number Object Promise Record String Symbol".split(" "),
]);

/**
 * Parses the name of a custom resource.
 *
 * @param text The name, such as `acme.io/v1/Widget`.
 * @throws {SyntaxError} If the API server would refuse a part of it, or the generated code cannot have the name.
 */
export function parseResourceName(text: string): ResourceName {
  const [group = "", version = "", kind = "", ...more] = text.split("/");
  if (kind === "" || more.length > 0) {
    throw new SyntaxError(
      `The kind must be GROUP/VERSION/KIND, as in acme.io/v1/Widget, not ${JSON.stringify(text)}`,
    );
  }
  requireGroup(group);
  if (!/^v[1-9][0-9]{0,3}(?:(?:alpha|beta)[1-9][0-9]{0,3})?$/.test(version)) {
    throw new SyntaxError(
      `The version must be like v1, v1beta1 or v1alpha1, not ${JSON.stringify(version)}`,
    );
  }
  requireKind(kind);
  return { group, version, kind };
}

function requireGroup(group: string): void {
  const shown = JSON.stringify(group);
  const isDomain = group.length <= MAX_GROUP_LENGTH && group.includes(".") &&
    group.split(".").every((label) => /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(label));
  if (!isDomain) {
    throw new SyntaxError(
      `The group must be a DNS subdomain with a dot, in lower case and of at most ${MAX_GROUP_LENGTH} characters, as in acme.io, not ${shown}`,
    );
  }
  if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) {
    throw new SyntaxError(
      `The group ${shown} belongs to Kubernetes: use a domain of your own, as in acme.io`,
    );
  }
}

function requireKind(kind: string): void {
  const shown = JSON.stringify(kind);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind) || kind.length > MAX_KIND_LENGTH) {
    throw new SyntaxError(
      `The kind must be CamelCase, of at most ${MAX_KIND_LENGTH} letters and digits, as in Widget, not ${shown}`,
    );
  }
  if (TAKEN.has(kind)) {
    throw new SyntaxError(
      `The kind ${shown} is a name in the generated code: use another, such as My${kind}`,
    );
  }
}
