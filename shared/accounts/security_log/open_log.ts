/** Opens the log of accounts for code that acts on them without the account library. */
import { type ProjectModel, sendsNotices } from "../../model/mod.ts";
import type { SecurityLog } from "../../runtime/ports.ts";
import { emailSenderOf } from "../account_mails.ts";
import type { AccountsDependencies } from "../dependencies.ts";
import { sendNotice } from "./notices.ts";
import { addressOf, insertEvent, recordFailure } from "./security_log.ts";

export function openSecurityLog(
  project: ProjectModel,
  dependencies: AccountsDependencies,
): SecurityLog {
  const { database, logger } = dependencies;
  const email = emailSenderOf(project, dependencies);
  const isOn = sendsNotices(project.email);
  return {
    async record(transaction, { notifies, ...event }) {
      const to = isOn && notifies ? await addressOf(transaction, event.userId) : null;
      const { notice } = await insertEvent(transaction, event, to);
      return () => {
        if (notice !== null) {
          sendNotice({ project, email, logger }, notice, event.origin?.languages ?? null);
        }
      };
    },
    async recordFailure(failed) {
      try {
        await recordFailure(database, failed);
      } catch (error) {
        logger.log({
          level: "error",
          message: "Accounts: a failed sign-in was not recorded",
          error,
        });
      }
    },
  };
}
