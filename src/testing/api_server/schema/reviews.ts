import type { StructTable, StructType } from "../../values/mod.ts";
import { StructRegistry } from "./field_tables.ts";
import { TABLES } from "./generated/mod.ts";

/** The parts of reviews that webhooks answer, and the options of connections, which only webhooks see. */
const REVIEWS: StructTable = {
  "admission.AdmissionReview": "response admission.AdmissionResponse?",
  "admission.AdmissionResponse": `
    uid string go=types.UID; allowed bool; status meta.Status?; patch bytes;
    patchType string? go=v1.PatchType; auditAnnotations {}string; warnings []string
  `,
  "apiextensions.ConversionReview": "response apiextensions.ConversionResponse?",
  "apiextensions.ConversionResponse": `
    uid string go=types.UID; convertedObjects []any go=[]runtime.RawExtension; result meta.Status!
  `,
  "core.PodExecOptions": `
    @object; stdin bool; stdout bool; stderr bool; tty bool; container string; command []string!?
  `,
  "core.PodAttachOptions": `
    @object; stdin bool; stdout bool; stderr bool; tty bool; container string
  `,
  "core.PodPortForwardOptions": "@object; ports []int32",
  "core.PodProxyOptions": "@object; path string",
  "core.ServiceProxyOptions": "@object; path string",
  "core.NodeProxyOptions": "@object; path string",
};

const structs = new StructRegistry([...TABLES, REVIEWS]);

/** The answer of an admission webhook. */
export const ADMISSION_REVIEW: StructType = structs.struct("admission.AdmissionReview");

/** The answer of a conversion webhook. */
export const CONVERSION_REVIEW: StructType = structs.struct("apiextensions.ConversionReview");

/** Returns the schema of the options of a connection, as in `PodExecOptions`. */
export function connectionSchema(kind: string): StructType {
  return structs.struct(`core.${kind}`);
}
