export interface StringifyOptions {
  indent?: number;
  skipInvalid?: boolean;
  sortKeys?: boolean | ((a: string, b: string) => number);
  lineWidth?: number;
  useAnchors?: boolean;
}
export declare function stringify(data: unknown, options?: StringifyOptions): string;
