/** Names that `dev` and the module it preloads into the API both use. */

/** Variable with the settings of the preloaded module, as JSON. */
export const API_TOOLS = "QUICKBACK_DEV_TOOLS";

/** Carries the run's secret with a request whose statements are to be told. */
export const TRACE_HEADER = "x-quickback-trace";

/** Carries them with the answer: JSON, URL-encoded. */
export const STATEMENTS_HEADER = "x-quickback-statements";

/** A statement that the database ran for a request. */
export interface RanStatement {
  readonly sql: string;
  /** As text: strings in quotes. */
  readonly args: readonly string[];
  readonly rows: number;
  readonly milliseconds: number;
}
