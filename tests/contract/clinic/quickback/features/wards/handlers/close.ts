import type { ActionExecutor } from "quickback";
import wards from "../wards.ts";

export const execute: ActionExecutor = async ({ db, record, input, whereRecord }) => {
  await db.update(wards).set({ isOpen: false }).where(whereRecord(wards));
  return { title: record.title.toUpperCase(), reason: input.reason };
};
