export * from "./field_selector.ts";
export * from "./label_selector.ts";
