import { compareApiVersions, isRecord } from "@kubeloop/controller/internal/base";
import { type Place, shown } from "./problem.ts";

/** The parts of a CustomResourceDefinition that its types need. */
export interface Definition {
  /** The name of the CustomResourceDefinition. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether `preserveUnknownFields` is set, as in old definitions: fields without a schema are kept. */
  readonly isOpen: boolean;
  /** The served versions, the preferred version first. */
  readonly versions: readonly DefinedVersion[];
}

/** A version of a custom resource. */
export interface DefinedVersion {
  readonly name: string;
  /** The warning to the users of a deprecated version; undefined if it is not deprecated. */
  readonly deprecation: string | undefined;
  readonly schema: unknown;
  readonly place: Place;
}

/**
 * Reads a CustomResourceDefinition.
 *
 * @throws {TypeError} If a part is missing or has the wrong form.
 */
export function readDefinition(given: unknown, place: Place): Definition {
  const root = requireRecord(given, place, "a CustomResourceDefinition");
  if (root["apiVersion"] !== "apiextensions.k8s.io/v1") {
    throw place.at("apiVersion").error(
      `found ${
        shown(root["apiVersion"])
      }, expected "apiextensions.k8s.io/v1": convert the definition, as no API server takes another since v1.22`,
    );
  }
  const spec = requireRecord(root["spec"], place.at("spec"), "the spec of a definition");
  const names = requireRecord(spec["names"], place.at("spec").at("names"), "the names");
  const at = place.at("spec");
  const group = requireText(spec["group"], at.at("group"), GROUP, "a domain, as in acme.io");
  const plural = requireText(
    names["plural"],
    at.at("names").at("plural"),
    LABEL,
    "a name in lower case, as in widgets",
  );
  const kind = requireText(
    names["kind"],
    at.at("names").at("kind"),
    /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/,
    'letters, digits and "-", as in Widget',
  );
  const { scope } = spec;
  if (scope !== "Namespaced" && scope !== "Cluster") {
    throw at.at("scope").error(`found ${shown(scope)}, expected "Namespaced" or "Cluster"`);
  }
  return {
    name: `${plural}.${group}`,
    group,
    kind,
    plural,
    namespaced: scope === "Namespaced",
    isOpen: spec["preserveUnknownFields"] === true,
    versions: readVersions(spec["versions"], at.at("versions")),
  };
}

const GROUP = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;
const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

function readVersions(given: unknown, place: Place): DefinedVersion[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw place.error(`found ${shown(given)}, expected a list of versions`);
  }
  const names = new Set<string>();
  const versions = given.flatMap((one: unknown, index): DefinedVersion[] => {
    const at = place.at(index);
    const version = requireRecord(one, at, "a version");
    const name = requireText(
      version["name"],
      at.at("name"),
      LABEL,
      "a name in lower case, as in v1",
    );
    if (names.has(name)) throw at.at("name").error(`there are two versions ${name}: remove one`);
    names.add(name);
    if (version["served"] !== true) return [];
    const { schema } = version;
    const inside = at.at("schema").at("openAPIV3Schema");
    const found = isRecord(schema) ? schema["openAPIV3Schema"] ?? undefined : undefined;
    if (found === undefined) {
      throw inside.error(
        "the version has no schema: add one, as the API server requires it, if only " +
          "{ type: object, x-kubernetes-preserve-unknown-fields: true }",
      );
    }
    const warning = version["deprecationWarning"];
    const deprecation = version["deprecated"] !== true
      ? undefined
      : typeof warning === "string"
      ? warning
      : "Use another version.";
    return [{ name, deprecation, schema: found, place: inside }];
  });
  return versions.sort((one, other) => compareApiVersions(one.name, other.name));
}

/** Requires that `value` is a mapping. */
export function requireRecord(
  value: unknown,
  place: Place,
  expected: string,
): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw place.error(`found ${shown(value)}, expected ${expected}: a mapping`);
}

function requireText(value: unknown, place: Place, pattern: RegExp, expected: string): string {
  if (typeof value === "string" && value.length <= 253 && pattern.test(value)) return value;
  throw place.error(`found ${shown(value)}, expected ${expected}`);
}
