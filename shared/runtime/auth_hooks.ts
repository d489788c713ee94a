/** Runs `hooks/auth.ts` for the accounts (definitions 6). A hook before an event may refuse it, a hook after it cannot. */
import type { AfterAuthHook, BeforeAuthHook, ProjectModel } from "../model/mod.ts";
import type {
  AuthHookRefusal,
  AuthHooks,
  AuthHookSubject,
  RealtimePorts,
  RowQuota,
  TenantDatabases,
} from "./ports.ts";
import { authoredRefusal } from "./authored/authored_refusal.ts";
import { createAuditing } from "./data/changes/auditing.ts";
import { createNewId } from "./data/stamps.ts";
import { handlerHomeOf, type HandlerHomeOptions } from "./authored/handler_home.ts";
import { type UnattendedPorts, unattendedWork } from "./authored/unattended_work.ts";
import { publishing } from "./realtime/publisher.ts";

interface HookPorts extends UnattendedPorts {
  /** Ports of realtime; absent: the host has no streams. */
  readonly realtime?: RealtimePorts;
  /** Databases of organizations. Null or absent: one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  /** Quota of rows; null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null;
}

export function createAuthHooks(
  project: ProjectModel,
  ports: HookPorts,
  options: Omit<HandlerHomeOptions, "random" | "clock">,
): AuthHooks {
  const { tenants = null } = ports;
  const home = handlerHomeOf(project, {
    ...options,
    rowQuota: ports.rowQuota,
    clock: ports.clock,
    random: ports.random,
    ...(tenants ? { directory: ports.database } : {}),
  });
  const published = publishing(project, ports);
  const means = {
    project,
    ports: {
      ...ports,
      database: published(ports.database),
      tenantDatabase: tenants && ((id: string) => published(tenants.of(id, "known"))),
    },
    home,
    newId: createNewId(ports.random),
    auditing: createAuditing(project, ports),
  };
  const run = async (name: BeforeAuthHook | AfterAuthHook, given: object): Promise<void> => {
    const { authHooks } = home.code;
    const hook = Object.hasOwn(authHooks, name) ? authHooks[name] : undefined;
    if (hook) await Reflect.apply(hook, authHooks, [given]);
  };
  return {
    async before(name, subject): Promise<AuthHookRefusal | null> {
      try {
        // The hook has no database, because the subject does not exist yet.
        await run(name, { ...subject, env: home.env });
        return null;
      } catch (error) {
        const authored = authoredRefusal(error);
        if (authored) {
          const { status, code, message } = authored;
          return { status, code, message };
        }
        ports.logger.log({ level: "error", message: `Account hook ${name} failed`, error });
        return {
          status: 500,
          code: "ACCOUNT_HOOK_FAILED",
          message: "The account could not be changed",
        };
      }
    },
    async after(name, subject: AuthHookSubject): Promise<void> {
      try {
        const { id } = subject.organization ?? {};
        // The database is made in advance. If that fails, its first write makes it.
        if (name === "onOrganizationCreated" && id !== undefined) await tenants?.found(id);
        const work = unattendedWork({ ...means, operation: `hook:${name}` });
        await run(name, { ...subject, ...work });
      } catch (error) {
        ports.logger.log({ level: "error", message: `Account hook ${name} failed`, error });
      }
    },
  };
}
