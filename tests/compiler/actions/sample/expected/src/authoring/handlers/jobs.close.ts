/** What the handler of action jobs.close imports as quickback: its record and input are the action's. */
import { type ExecutorOf } from "../../quickback/authoring/action.ts";
import { type ActionExecutor as Executor } from "../../quickback/authoring/handler.ts";
import type definition from "../../authored/features/jobs/actions/close.ts";

export * from "../../quickback/authoring/mod.ts";

type Given = Parameters<ExecutorOf<typeof definition>>[0];

export type ActionExecutor<
  Of extends string | object = Given["record"],
  Input = Given["input"],
  Refs = Given["refs"],
> = Executor<Of extends string ? Given["record"] : Of, Input, Refs>;
