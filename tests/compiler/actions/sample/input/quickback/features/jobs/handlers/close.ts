import { ActionError, type ActionExecutor } from "@quickback/types";
import { eq } from "drizzle-orm";
import { jobs, notes } from "../schema";
import { LIMIT } from "../jobs";
import jobsTable from "../jobs.ts";
import { shout } from "../../../lib/shout";

export const execute: ActionExecutor = async (
  { db, record, input, ctx, refs, whereTransition, auditFields },
) => {
  if (record.status === "closed") throw new ActionError("Closed already", "ALREADY", 409);
  const rows = await db.select({ id: jobs.id, n: jobs.amount }).from(jobs).where(
    eq(jobs.id, record.id),
  ).limit(LIMIT);
  await db.insert(notes).values({
    jobId: record.id,
    body: shout(input.reason ?? refs.noteId.body),
  });
  await db.update(jobsTable).set({ closedReason: input.reason ?? null, ...auditFields }).where(
    whereTransition(jobs),
  );
  const again = await db.query.jobs.findMany({ limit: 1 });
  return { id: rows[0]?.id ?? again[0]?.id };
};
