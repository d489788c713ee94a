/** Opens the accounts of a process that hosts them. */
import { authentication, type ServicePorts, type Sessions } from "../../shared/service/mod.ts";
import type { ServiceAccounts } from "../../shared/service/mod.ts";

interface OpenedAccounts extends Disposable {
  readonly accounts: ServiceAccounts;
}

/** Loads the account library only where accounts are hosted, because it is a quarter of an idle service's memory. */
export async function openAccounts(options: {
  /** File of the accounts; null: the process hosts none. */
  readonly file: string | null;
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly sessions: Sessions | null;
  readonly logger: ServicePorts["logger"];
}): Promise<OpenedAccounts | null> {
  const { file, baseUrl, apiKeys, sessions, logger } = options;
  if (file === null || sessions === null) return null;
  const { openAccountLibrary } = await import("./account_library.ts");
  const { serviceAccounts } = await import("./service_accounts.ts");
  const library = await openAccountLibrary({
    file,
    baseUrl,
    secret: sessions.secret,
    onMessage: (level, message) => logger.log({ level, message }),
  }).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : "";
    throw new Error(`Cannot start: SERVICE_ACCOUNTS_FILE '${file}' cannot be used: ${said}`, {
      cause,
    });
  });
  const authenticate = authentication(apiKeys);
  return {
    accounts: serviceAccounts({ library, baseUrl, sessions, authenticate }),
    [Symbol.dispose]: () => library[Symbol.dispose](),
  };
}
