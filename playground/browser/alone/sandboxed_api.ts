/** API of a tab, as the page calls it. `cli/alone/tab_api.ts` implements it. */
import type { Following, ProjectModel } from "../../../shared/compiler/mod.ts";
import type { ApiAnswer, ApiRequest, Delivery, Status, StoredRows } from "../../protocol.ts";

export interface TabOutput {
  readonly model: ProjectModel;
  readonly openapi: string | null;
  readonly asyncapi: string | null;
  readonly migrations: readonly {
    readonly tag: string;
    readonly when: number;
    readonly sql: string;
    /**
     * Describes a data step. `isCode`: the step is written in TypeScript. `isBefore`: the step makes rows fit its migration.
     */
    readonly step?: {
      readonly home: null;
      readonly isCode: boolean;
      readonly isBefore: boolean;
    };
  }[];
  /** Texts of the snapshots of those migrations that are not data steps, in order. */
  readonly snapshots: readonly string[];
  /** JavaScript of the output's own modules, in CommonJS, with the output's import map. */
  readonly authored: {
    readonly texts: Readonly<Record<string, string>>;
    readonly imports: Readonly<Record<string, string>>;
  };
}

export interface SandboxedApi {
  /**
   * Starts or replaces the API over the existing rows; the answer describes the API for the page. `plan` returns how to get
   * from the schema of a snapshot to the output's schema.
   */
  start(
    output: TabOutput,
    onDelivery: (delivery: Delivery) => void,
    plan: (reached: string | null) => Promise<Following>,
  ): Promise<Pick<Status, "people" | "tables" | "events" | "webhooks">>;
  /** Plants the project's seed. Returns a text that says what was planted, or why nothing was. */
  seed(): Promise<string>;
  /** Deletes every row; the next start begins with an empty database. */
  empty(): Promise<void>;
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /** Calls `onText` with each piece of the stream until the stream ends or the page stops it. */
  frames(
    as: string | null,
    onText: (text: string) => Promise<boolean>,
  ): Promise<{ readonly status: number; readonly body: string }>;
  stored(table: string, ids: readonly string[]): Promise<StoredRows>;
}
