/** The definition of one column of a Table. */
export interface Column {
  /** The heading. */
  readonly name: string;
  /** The OpenAPI type, or `date`. */
  readonly type: string;
  /** The OpenAPI format; `name` for the column with the name of the object. */
  readonly format: string;
  /** The description. */
  readonly description: string;
  /** The priority. Columns with a priority above 0 appear only in wide output. */
  readonly priority: number;
}

/** Returns a column. */
export function column(name: string, description = "", priority = 0, type = "string"): Column {
  return { name, type, format: "", description, priority };
}

const CREATED =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The column with the name of the object. */
export const NAME: Column = {
  ...column(
    "Name",
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  ),
  format: "name",
};

/** The column with the age of the object. */
export const AGE: Column = column("Age", CREATED);

/** The age column of custom resources and scales, with type `date`. */
export const AGE_DATE: Column = { ...AGE, type: "date" };

/** The column with the creation time, for kinds that have no columns of their own. */
export const CREATED_AT: Column = column("Created At", CREATED, 0, "date");

/** The columns of the template of a workload, which only wide output shows. */
export function templateColumns(selector: string): readonly Column[] {
  return [
    column("Containers", "Names of each container in the template.", 1),
    column("Images", "Images referenced by each container in the template.", 1),
    column("Selector", selector, 1),
  ];
}
