/** The author's code of every action, by the action's key. */
import { type ActionImplementations } from "./quickback/surface/action_implementation.ts";
import "./authoring/register.ts";
import action1 from "./authored/features/jobs/actions/close.ts";
import { execute as execute2 } from "./authored/features/jobs/handlers/close.ts";
import action3 from "./authored/features/jobs/actions/notes/pin.ts";
import action4 from "./authored/features/jobs/actions/reopen.ts";
import action5 from "./authored/features/jobs/actions/stats.ts";
import action6 from "./authored/features/reports/actions.ts";

export * as schema from "./schema/mod.ts";

export const actions: ActionImplementations = {
  "jobs.close": { execute: execute2, input: action1.input, output: action1.output ?? null },
  "jobs.pin": {
    execute: action3.execute ?? null,
    input: action3.input,
    output: action3.output ?? null,
  },
  "jobs.reopen": { execute: null, input: action4.input, output: action4.output ?? null },
  "jobs.stats": {
    execute: action5.execute ?? null,
    input: action5.input,
    output: action5.output ?? null,
  },
  "reports.year-end": {
    execute: action6["year-end"].execute ?? null,
    input: action6["year-end"].input,
    output: action6["year-end"].output ?? null,
  },
};
