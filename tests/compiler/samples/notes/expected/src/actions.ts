/** The author's code of every action, by the action's key. */
import { type ActionImplementations } from "./quickback/surface/action_implementation.ts";

export * as schema from "./schema/mod.ts";

export const actions: ActionImplementations = {};
