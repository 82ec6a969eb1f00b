import { getObject, getString } from "../../../values/mod.ts";
import {
  defaultPodSpec,
  isNewGeneration,
  templateWarnings,
  validatePodTemplate,
} from "./pod_spec/mod.ts";
import { column, labelsText, NAME, namesAndImages, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { warnOfPodSecurity } from "./pod_security/mod.ts";

/** PodTemplates. */
export const POD_TEMPLATE: KindRecord = defineKind("v1", "podtemplates", "PodTemplate", {
  counts: [["template"]],
  defaults: (template) => defaultPodSpec(getObject(template, "template", "spec")),
  warnings: (one, old) =>
    isNewGeneration(one, old) ? templateWarnings(getObject(one, "template"), "template.") : [],
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "template"), confirmation),
  names: "subdomain",
  validate: (one, release) => validatePodTemplate(getObject(one, "template"), "template", release),
  deletion: { returnsObject: true },
  table: {
    columns: [
      NAME,
      column("Containers", "Names of each container in the template."),
      column("Images", "Images referenced by each container in the template."),
      column("Pod Labels", "The labels for the pod template."),
    ],
    row: (one) => [
      getString(one, "metadata", "name"),
      ...namesAndImages(objects(one, "template", "spec", "containers")),
      labelsText(getObject(one, "template", "metadata", "labels")),
    ],
  },
});
