/** The part of @std/cli's `parseArgs` typing that this project uses: flags are named, never inferred from the call. */
type Values<
  B extends string,
  S extends string,
  C extends string,
> =
  & { [K in Exclude<B, C>]: boolean }
  & { [K in Exclude<S, C>]?: string }
  & { [K in Extract<S, C>]: string[] };

export interface ParseOptions<B extends string, S extends string, C extends string> {
  boolean?: readonly B[];
  string?: readonly S[];
  collect?: readonly C[];
  default?: Record<string, unknown>;
  alias?: Record<string, string | readonly string[]>;
  negatable?: readonly string[];
  stopEarly?: boolean;
  "--"?: boolean;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
export declare function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends string = never,
>(
  args: readonly string[],
  options?: ParseOptions<B, S, C>,
): Values<B, S, C> & { _: Array<string | number>; "--"?: string[] };
