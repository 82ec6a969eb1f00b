import {
  getObject,
  getString,
  type JsonObject,
  roundUpToMilli,
  setOwn,
} from "../../../values/mod.ts";

/** Rounds the quantities of the named maps up to thousandths, as the server does with all amounts of resources. */
export function roundAll(object: JsonObject, ...names: string[]): void {
  for (const name of names) {
    const amounts = getObject(object, name);
    for (const key of Object.keys(amounts)) {
      setOwn(amounts, key, roundUpToMilli(getString(amounts, key)));
    }
  }
}
