/** Shared parts of authored code in one application: opener of its databases, variables, and the code itself. */
import type { HandlerEnv } from "../../model/handler_env.ts";
import type { ProjectModel } from "../../model/project.ts";
import { type AuthoredCode, NO_CODE } from "../../surface/authored_code.ts";
import { type MaskSource, maskSourcesOf } from "../../surface/column_sight.ts";
import {
  type DrizzleSchema,
  type OpenScopedDb,
  scopedDbOf,
} from "../data/scoped_db/open_scoped_db.ts";

/** Parts of authored code that all handlers of one application share. */
export interface HandlerHome {
  readonly openDb: OpenScopedDb<DrizzleSchema>;
  readonly env: HandlerEnv;
  /** Of the project, outside of features. */
  readonly code: AuthoredCode;
  /** Masks for what their results may hold. */
  readonly maskSources: readonly MaskSource[];
}

export interface HandlerHomeOptions {
  /** Drizzle's tables and relations. */
  readonly schema?: DrizzleSchema | undefined;
  readonly env?: HandlerEnv | undefined;
  readonly authored?: AuthoredCode | undefined;
}

export function handlerHomeOf(
  project: ProjectModel,
  { schema = {}, env = {}, authored = NO_CODE }: HandlerHomeOptions,
): HandlerHome {
  return {
    openDb: scopedDbOf(project, schema),
    env: Object.freeze({ ...env }),
    code: authored,
    maskSources: maskSourcesOf(project),
  };
}
