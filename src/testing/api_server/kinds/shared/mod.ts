/**
 * Helpers that know no kind: object metadata, label selectors, resource names, amounts, IP addresses, cells of Tables.
 *
 * @module
 */

export { aloneErrors, choiceErrors, firstErrors, MOST_ERRORS, pullPolicyErrors } from "./lists.ts";
export {
  addAmounts,
  isSameUsage,
  largerAmount,
  moreThan,
  roundAll,
  type Usage,
} from "./amounts.ts";
export {
  AGE,
  AGE_DATE,
  type Column,
  column,
  columnsIn,
  containerCells,
  CREATED_AT,
  getNumber,
  isTrue,
  labelsText,
  NAME,
  named,
  namesAndImages,
  type Row,
  since,
  templateCells,
} from "./table.ts";
export { validateCondition, validateConditions } from "./conditions.ts";
export {
  base64Bytes,
  jsonProblem,
  keyErrors,
  MAX_DATA_BYTES,
  validateImmutableData,
} from "./data.ts";
export {
  descendingPath,
  domainPrefixedPath,
  driverErrors,
  filePath,
  noBacksteps,
} from "./names.ts";
export { amountOf, atMost100Percent, intOrPercent } from "./int_or_percent.ts";
export {
  balancerIpWarnings,
  endpointIpErrors,
  legacyCidrWarnings,
  legacyIpWarnings,
} from "./ip.ts";
export {
  isEmptySelector,
  labelRequirementErrors,
  matchesSelector,
  operandErrors,
  validateLabelSelector,
} from "./label_selector.ts";
export {
  nodeSelectorWarnings,
  nodeTermWarnings,
  oldKeyWarnings,
  oldNodeLabel,
} from "./node_label_warnings.ts";
export { validateNodeSelector, validateNodeSelectorTerm } from "./node_selector.ts";
export { numberRules } from "./number_rules.ts";
export {
  canonicalIpErrors,
  type FinalizerRule,
  immutable,
  type MetaRule,
  type NameRule,
  NEGATIVE,
  nonNegative,
  validateAnnotations,
  validateFinalizerName,
  validateLabels,
  validateMeta,
  validateMetaUpdate,
} from "./object_meta.ts";
export { fill, fillPointer, objects } from "./objects.ts";
export { type PemBlock, pemBlocks } from "./pem.ts";
export { atMost, notDecremented, replicaStatusErrors } from "./replica_status.ts";
export {
  amountErrors,
  containerResourceErrors,
  isExtendedResource,
  isNativeResource,
  isQuotaResource,
  quotaResourceErrors,
  resourceNameErrors,
} from "./resource_names.ts";
export { selectorText } from "./selector_text.ts";
export {
  maxCertificateSeconds,
  MIN_CERTIFICATE_SECONDS,
  userAnnotationErrors,
  validateSignerName,
} from "./signers.ts";
export { validateTolerations } from "./tolerations.ts";
export {
  servicePortErrors,
  validateClientConfig,
  validateReviewVersions,
} from "./webhook_client.ts";
