/** Names that `dev` and the module which it preloads into the API both use. */

/** Variable with the settings of the preloaded module, as JSON. */
export const API_TOOLS = "QUICKBACK_DEV_TOOLS";

/** Header with the run's secret, on a request whose statements the answer must list. */
export const TRACE_HEADER = "x-quickback-trace";

/** Header of the answer with the statements: JSON, URL-encoded. */
export const STATEMENTS_HEADER = "x-quickback-statements";

/** Statement that the database ran for a request. */
export interface RanStatement {
  readonly sql: string;
  /** Arguments as text: strings in quotes. */
  readonly args: readonly string[];
  readonly rows: number;
  readonly milliseconds: number;
}
