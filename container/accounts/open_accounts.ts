/** Opens the accounts of a process that hosts them. */
import { authentication, type ServicePorts, type Sessions } from "../../shared/service/mod.ts";
import type { ServiceAccounts } from "../../shared/service/mod.ts";
import { openAccountLibrary } from "./account_library.ts";
import { serviceAccounts } from "./service_accounts.ts";

interface OpenAccountsOptions {
  readonly file: string;
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly sessions: Sessions;
  readonly logger: ServicePorts["logger"];
}

interface OpenedAccounts extends Disposable {
  readonly accounts: ServiceAccounts;
}

export async function openAccounts(options: OpenAccountsOptions): Promise<OpenedAccounts> {
  const { file, baseUrl, apiKeys, sessions, logger } = options;
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
