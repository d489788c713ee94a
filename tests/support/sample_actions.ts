/** What a template's `quickback/actions` stands for in this repository: a project without actions. */
import type { ActionImplementations } from "../../shared/surface/action_implementation.ts";

export const actions: ActionImplementations = {};
export const schema: Readonly<Record<string, unknown>> = {};
