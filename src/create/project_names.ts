import type { ResourceName } from "./resource_name.ts";

/** Names in a project, all of them made of the kind. */
export interface ProjectNames {
  /** The plural in URLs, such as `widgets`. */
  readonly plural: string;
  /** The descriptor, such as `Widgets`. */
  readonly descriptor: string;
  /** The beginning of names of functions, such as `widget`. */
  readonly camel: string;
  /** The operator, which is the name of its package, lease, image and objects: `widget-operator`. */
  readonly operator: string;
  /** The label of owned objects, such as `acme.io/widget`. */
  readonly label: string;
}

/** Returns the names in a project for a kind. */
export function namesOf({ group, kind }: ResourceName): ProjectNames {
  const singular = kind.toLowerCase();
  return {
    plural: singular.endsWith("endpoints") ? singular : pluralOf(singular),
    descriptor: pluralOf(kind),
    camel: kind.charAt(0).toLowerCase() + kind.slice(1),
    operator: `${singular}-operator`,
    label: `${group}/${singular}`,
  };
}

/** Returns the plural as apimachinery guesses it. */
function pluralOf(name: string): string {
  if (name.endsWith("s")) return `${name}es`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}
