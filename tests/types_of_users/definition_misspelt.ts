// Refused: misspelt members of a definition, and of its versions.

import { defineResource } from "@kubeloop/controller";

const names = { group: "acme.io", version: "v1", kind: "Gadget" };

// @ts-expect-error TS2769, in several lines: 'scpec' does not exist in type
defineResource({ ...names, scpec: { type: "object" } });
// @ts-expect-error TS2769, in several lines: 'serve' does not exist in type 'OtherVersion'. Did you mean to write 'served'?
defineResource({ ...names, versions: [{ name: "v1beta1", serve: false }] });
// @ts-expect-error TS2769, in several lines: Type 'number' is not assignable to type 'string'
defineResource({ ...names, versions: [{ name: 1 }] });
