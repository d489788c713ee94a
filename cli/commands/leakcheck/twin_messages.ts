/** Messages between the check and the thread of one of its databases. */
import type { Question, RecordedAnswer } from "../../../proof/questions/question.ts";
import type { SeedRow } from "../../../proof/rows/mod.ts";
import type { Principal, ProjectModel } from "../../../shared/model/mod.ts";

export type TwinOrder =
  /** Compiled output, and the folder of its databases. */
  | { readonly kind: "load"; readonly folder: string; readonly databases: string }
  | { readonly kind: "open"; readonly rows: readonly SeedRow[] }
  | { readonly kind: "ask"; readonly question: Question; readonly caller: Principal }
  | { readonly kind: "listen"; readonly caller: Principal }
  | { readonly kind: "frames" }
  | { readonly kind: "deliveries" }
  | { readonly kind: "close" };

export interface TwinAnswers {
  readonly load: ProjectModel;
  readonly open: null;
  readonly ask: RecordedAnswer;
  /** True when the caller may listen to realtime. */
  readonly listen: boolean;
  readonly frames: RecordedAnswer | null;
  readonly deliveries: readonly RecordedAnswer[];
  readonly close: null;
}

export type TwinReply<Kind extends TwinOrder["kind"] = TwinOrder["kind"]> =
  | { readonly kind: "done"; readonly answer: TwinAnswers[Kind] }
  | { readonly kind: "failed"; readonly message: string };
