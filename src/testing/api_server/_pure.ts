export * from "./pure/mod.ts";
export * from "./pure/scale.ts";
export * from "./_interim.ts";
