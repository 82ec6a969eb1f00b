/** The reason why a source has no configuration. The next source is then tried. */
export interface NotFound {
  /** The place and the problem, for an error message. */
  readonly missing: string;
  /** Whether it is probably a mistake, which is worth a warning if the next source has a configuration. */
  readonly isMistake?: boolean;
}
