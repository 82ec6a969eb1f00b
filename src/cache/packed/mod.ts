/**
 * The cache of an informer, which keeps its objects as JSON bytes outside the JavaScript heap, and parses them when
 * they are read; or keeps parsed objects.
 *
 * Imports `store`. The folder `informer` decides what is kept.
 *
 * @module
 */

export type { JsonPath } from "../../base/mod.ts";
export { ObjectCache } from "./object_cache.ts";
export { hasSameValueAt, type Item, keyOf, PackedObject, valueOfItem } from "./packed_object.ts";
export { JsonForm, type ObjectForm } from "./object_form.ts";
export { Packer, packing, type PackingCache } from "./packer.ts";
export { Projection } from "./projection.ts";
export {
  indexFuncOfItems,
  type PathIndexFunc,
  pathIndexFunc,
  valueIndexFunc,
  wantsObjects,
} from "./path_index_func.ts";
