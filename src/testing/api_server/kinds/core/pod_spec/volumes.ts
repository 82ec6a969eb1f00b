import {
  child,
  compareQuantities,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { validateVolumeSource, VOLUME_SOURCES } from "./volume_sources.ts";

/** How errors call a source of a volume, if not by the name of its field. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  cephfs: "cephFS",
  downwardAPI: "downwarAPI",
};

/** The owner of volumes, on which some rules depend. */
export interface VolumeContext {
  /** The name of the Pod; empty for a template, or if the Pod has none. */
  readonly podName: string;
  /** Whether the owner is a Pod, and not a template. */
  readonly isPod: boolean;
}

/** The valid volumes of a Pod by name, and the errors of the others. */
export interface CheckedVolumes {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly errors: FieldError[];
}

/** Validates the volumes of a Pod or a Pod template. */
export function validateVolumes(
  spec: JsonObject,
  field: string,
  context: VolumeContext,
): CheckedVolumes {
  const all = objects(spec, "volumes");
  const { podName } = context;
  const created = new Set(
    podName === "" ? [] : all.filter((volume) => isObject(getOwn(volume, "ephemeral")))
      .map((volume) => `${podName}-${getString(volume, "name")}`),
  );
  const volumes = new Map<string, JsonObject>();
  const errors = all.flatMap((volume, index) => {
    const at = item(child(field, "volumes"), index);
    const name = getString(volume, "name");
    const wrong = validateSources(volume, at, context);
    if (name === "") wrong.push(required(child(at, "name")));
    else wrong.push(...dnsLabel(name).map((text) => invalidValue(child(at, "name"), name, text)));
    if (volumes.has(name)) wrong.push(duplicate(child(at, "name"), name));
    if (wrong.length === 0) volumes.set(name, volume);
    const claim = getString(volume, "persistentVolumeClaim", "claimName");
    if (isObject(getOwn(volume, "persistentVolumeClaim")) && created.has(claim)) {
      const text = "must not reference a PVC that gets created for an ephemeral volume";
      wrong.push(invalidValue(child(at, "persistentVolumeClaim.claimName"), claim, text));
    }
    return wrong;
  });
  return { volumes, errors };
}

function validateSources(volume: JsonObject, field: string, context: VolumeContext): FieldError[] {
  const given = VOLUME_SOURCES.filter((source) => isObject(getOwn(volume, source)));
  if (given.length === 0) return [required(field, "must specify a volume type")];
  const name = getString(volume, "name");
  return given.flatMap((source, index) => {
    const own = getObject(volume, source);
    const at = child(field, source);
    // An emptyDir comes first, and is looked at in any case.
    const errors = index > 0
      ? [
        forbiddenField(
          child(field, SHOWN_AS[source] ?? source),
          "may not specify more than 1 volume type",
        ),
      ]
      : source === "emptyDir"
      ? validateSize(own, at)
      : validateVolumeSource(source, own, at, context.isPod);
    if (source === "iscsi" && typeof getOwn(own, "initiatorName") === "string") {
      if (`${name}:${getString(own, "targetPortal")}`.length > 64) {
        const text =
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
        errors.push(invalidValue(child(field, "name"), name, text));
      }
    }
    if (source === "ephemeral" && index === 0 && context.podName !== "" && name !== "") {
      const claim = `${context.podName}-${name}`;
      errors.push(
        ...dnsSubdomain(claim).map((text) =>
          invalidValue(child(field, "name"), name, `PVC name ${JSON.stringify(claim)}: ${text}`)
        ),
      );
    }
    return errors;
  });
}

function validateSize(source: JsonObject, field: string): FieldError[] {
  const limit = getString(source, "sizeLimit");
  if (limit === "" || compareQuantities(limit, "0")! >= 0) return [];
  const text = "SizeLimit field must be a valid resource quantity";
  return [forbiddenField(child(field, "sizeLimit"), text)];
}
