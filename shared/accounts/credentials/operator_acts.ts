/** Events that an operator causes in a database without its API. */
import type { Transaction } from "../../runtime/ports.ts";
import { actOf } from "../security_log/library_acts.ts";
import { insertEvent } from "../security_log/security_log.ts";
import type { EventScene, RecordEvent } from "./credential.ts";
import { endCredentials } from "./end_credentials.ts";
import { eventProjectIn } from "./event_project.ts";
import { confirmAddress, subjectOf } from "./prove_account.ts";

/** Proves the address of an account. Returns false if it is proved already. */
export async function confirmByOperator(
  transaction: Transaction,
  userId: string,
): Promise<boolean> {
  return await confirmAddress(await operatorScene(transaction), userId);
}

/** Ends all that a ban ends. */
export async function banByOperator(transaction: Transaction, userId: string): Promise<void> {
  const subject = await subjectOf(transaction, userId);
  if (subject) await endCredentials(await operatorScene(transaction), "ban", subject);
}

const recordByOperator: RecordEvent = async (transaction, event, subject, ended) => {
  const told = actOf(event, subject, ended);
  if (told === null) return;
  await insertEvent(transaction, { userId: told.userId, ...told.act, origin: null }, null);
};

async function operatorScene(transaction: Transaction): Promise<EventScene> {
  const project = await eventProjectIn(transaction);
  const isLogged = project.has("qb_security_events");
  return {
    project,
    transaction,
    seconds: null,
    onTokensEnding: () => {},
    members: null,
    actor: null,
    record: isLogged ? recordByOperator : undefined,
  };
}
