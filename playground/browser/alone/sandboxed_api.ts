/** The API of a tab as the page asks it: `cli/alone/tab_api.ts` is one. */
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
    /** Of a data step; `isCode`: in TypeScript, `isBefore`: it makes rows fit its migration. */
    readonly step?: {
      readonly home: null;
      readonly isCode: boolean;
      readonly isBefore: boolean;
    };
  }[];
  /** Texts of the snapshots of the migrations that are no steps, in their order. */
  readonly snapshots: readonly string[];
  /** JavaScript of the output's own modules in CommonJS, and its import map. */
  readonly authored: {
    readonly texts: Readonly<Record<string, string>>;
    readonly imports: Readonly<Record<string, string>>;
  };
}

export interface SandboxedApi {
  /**
   * Starts or replaces the API, over the rows that are there; the answer is what a page shows of it. `plan`: the way from the
   * schema of a snapshot to the output's.
   */
  start(
    output: TabOutput,
    onDelivery: (delivery: Delivery) => void,
    plan: (reached: string | null) => Promise<Following>,
  ): Promise<Pick<Status, "people" | "tables" | "events" | "webhooks">>;
  /** Plants the project's seed; says how that went, or why nothing was planted. */
  seed(): Promise<string>;
  /** Forgets every row; the next start begins anew. */
  empty(): Promise<void>;
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /** Calls with each piece of the stream until it ends, or the page wants no more. */
  frames(
    as: string | null,
    onText: (text: string) => Promise<boolean>,
  ): Promise<{ readonly status: number; readonly body: string }>;
  stored(table: string, ids: readonly string[]): Promise<StoredRows>;
}
