import type { ActionExecutor } from "@quickback/compiler";
import { invoiceNumber } from "../../../lib/money.ts";
import { appointments } from "../appointments";

export const execute: ActionExecutor = async ({ db, input, refs }) => {
  const [row] = await db.insert(appointments)
    .values({ ...input, invoice: invoiceNumber() })
    .returning({ id: appointments.id, reason: appointments.reason });
  return { ...row, patient: refs.patientId.name };
};
