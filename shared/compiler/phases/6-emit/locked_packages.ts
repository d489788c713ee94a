/** Locked packages of `deno.lock`: all of the runtime, indirect ones included, at the versions that it was tested with. */
import { compareText } from "../../../lib/texts.ts";
import type { DenoLock } from "../../lock/deno_lock.ts";
import { isLocked, lockOf } from "../../lock/lock_of.ts";
import { nameOf } from "../../lock/package_id.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";
import { importMap } from "./import_map.ts";

/** Without the author's own dependencies: Deno adds those at the first start. */
export function lockedPackages(plan: OutputPlan): DenoLock {
  const locked = Object.values(importMap(plan)).filter((target) => isLocked(target, plan.lock));
  return lockOf(locked, plan.lock);
}

/** Names of those that would run a program of theirs when they are installed, as `deno.json` takes them. */
export function packagesWithScripts({ packages }: DenoLock): readonly string[] {
  return [...packages].filter(([, { facts }]) => facts.scripts === true)
    .map(([id]) => `npm:${nameOf(id)}`).sort(compareText);
}
