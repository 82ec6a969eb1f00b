export interface ParseOptions {
  schema?: "failsafe" | "json" | "core" | "default" | "extended";
  allowDuplicateKeys?: boolean;
  onWarning?(error: Error): void;
}
export declare function parse(content: string, options?: ParseOptions): unknown;
export declare function parseAll(content: string, options?: ParseOptions): unknown;
