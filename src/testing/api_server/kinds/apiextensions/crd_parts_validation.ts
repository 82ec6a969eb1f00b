import {
  child,
  duplicate,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import { compileStructural, type Structural } from "../../schema/mod.ts";
import { objects } from "../shared/mod.ts";

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];
const MAX_SELECTABLE_FIELDS = 8;

/** Returns the errors of the subresources, columns and selectable fields of a version. */
export function validateParts(version: JsonObject, raw: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const scale = getOwn(getObject(version, "subresources"), "scale");
  if (isObject(scale)) {
    for (
      const [name, root] of [["specReplicasPath", ".spec."], ["statusReplicasPath", ".status."]]
    ) {
      const where = `${child(field, "subresources")}.scale.${name}`;
      const path = getString(scale, name!);
      if (path === "") errors.push(required(where));
      else if (!path.startsWith(".")) {
        errors.push(invalidValue(where, path, "must be a simple json path starting with ."));
      } else if (!path.startsWith(root!)) {
        const section = root!.slice(0, -1);
        errors.push(invalidValue(where, path, `should be a json path under ${section}`));
      }
    }
  }
  const selector = isObject(scale) ? getString(scale, "labelSelectorPath") : "";
  if (selector !== "") {
    const where = `${child(field, "subresources")}.scale.labelSelectorPath`;
    if (!selector.startsWith(".")) {
      errors.push(invalidValue(where, selector, "must be a simple json path starting with ."));
    } else if (!selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
      const reason = "should be a json path under either .spec or .status";
      errors.push(invalidValue(where, selector, reason));
    }
  }
  objects(version, "additionalPrinterColumns").forEach((column, index) => {
    const at = item(child(field, "additionalPrinterColumns"), index);
    if (getString(column, "name") === "") errors.push(required(child(at, "name")));
    const type = getString(column, "type");
    const known = `must be one of ${COLUMN_TYPES.join(",")}`;
    if (type === "") errors.push(required(child(at, "type"), known));
    else if (!COLUMN_TYPES.includes(type)) {
      errors.push(invalidValue(child(at, "type"), type, known));
    }
    const format = getString(column, "format");
    if (format !== "" && !COLUMN_FORMATS.includes(format)) {
      const formats = `must be one of ${COLUMN_FORMATS.join(",")}`;
      errors.push(invalidValue(child(at, "format"), format, formats));
    }
    const path = getString(column, "jsonPath");
    const where = child(at, "JSONPath");
    if (path === "") errors.push(required(where));
    else if (!path.startsWith(".")) {
      errors.push(invalidValue(where, path, "must be a simple json path starting with ."));
    }
  });
  errors.push(...validateSelectableFields(version, raw, child(field, "selectableFields")));
  return errors;
}

function validateSelectableFields(
  version: JsonObject,
  raw: JsonObject,
  field: string,
): FieldError[] {
  const schema = compileStructural(raw);
  const paths = objects(version, "selectableFields").map((one) => getString(one, "jsonPath"));
  const errors = paths.flatMap((path, index) => {
    const at = child(item(field, index), "jsonPath");
    if (path === "") return [required(at)];
    const found = follow(schema, path);
    if (!/^[.[]/.test(path)) {
      const why = `is an invalid path: expected [ or . but got: ${path.split(/[.[]/)[0]}`;
      return [invalidValue(at, path, why)];
    }
    if (found === undefined) {
      return [invalidValue(at, path, "is an invalid path: does not refer to a valid field")];
    }
    const again = paths.indexOf(path) < index ? [duplicate(at, path)] : [];
    if (!["string", "integer", "boolean"].includes(found.type)) {
      return [
        invalidValue(
          at,
          path,
          "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
        ),
        ...again,
      ];
    }
    return again;
  });
  if (paths.length > MAX_SELECTABLE_FIELDS) {
    errors.push({
      reason: "FieldValueTooMany",
      message: `Too many: ${paths.length}: must have at most ${MAX_SELECTABLE_FIELDS} items`,
      field,
    });
  }
  return errors;
}

function follow(schema: Structural, path: string): Structural | undefined {
  let here: Structural | undefined = schema;
  for (const name of path.replace(/^\./, "").split(".")) {
    if (here?.type !== "object") return undefined;
    here = here.properties.get(name);
  }
  return here;
}
