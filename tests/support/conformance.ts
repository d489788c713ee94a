/** An API in this process, held against its definitions as `quickback conformance` does. */
import type { ConformanceReport } from "../../proof/conformance/report.ts";
import {
  type ConformanceOptions,
  planRun,
  runConformance,
  type RunPlan,
} from "../../proof/conformance/run_conformance.ts";
import { insertAccounts, sessionSeed } from "../../proof/rows/mod.ts";
import type { World } from "../../proof/rows/world.ts";
import { sessionCookieFor } from "../../shared/accounts/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type ApiUnderTest, AUTH_SECRET, BASE_URL, type Claims, START, tokenFor } from "./api.ts";
import { seededRandom } from "./random.ts";

/** For several runs one after the other: each removes what it has put in. */
export function conformancePlan(model: ProjectModel): RunPlan {
  return planRun(model, { random: repeatable(), now: START, free: new Map() });
}

/** `model` says what is true; the API may say otherwise. `fetch` may stand before it. */
export async function conformanceOf(
  model: ProjectModel,
  api: ApiUnderTest,
  options: ConformanceOptions & {
    readonly fetch?: (request: Request) => Promise<Response>;
  } = {},
): Promise<ConformanceReport> {
  const fetch = options.fetch ?? ((request: Request) => api.fetch(request, { clientIp: null }));
  return await runConformance(model, {
    api: { origin: BASE_URL, fetch, wait: () => Promise.reject(new Error("Nothing is limited")) },
    ...databasesOf(model, api),
    clock: { now: () => START },
    random: repeatable(),
    credentialsOf: credentialsFor(model, api),
  }, { hasAccounts: false, ...options });
}

/** Those of the API; the tests see to it that they come to an end. */
function databasesOf(model: ProjectModel, { database, tenants, ports }: ApiUnderTest) {
  if (!tenants) return { database };
  const of = (id: string) => tenants.of(id, "claimed");
  return {
    database: ports.database,
    organizations: {
      of,
      async end(ids: readonly string[]) {
        for (const id of ids) {
          await of(id).write(async (transaction) => {
            await transaction.run({ sql: "PRAGMA defer_foreign_keys = ON", args: [] });
            for (const { sqlName } of model.tables) {
              await transaction.run({ sql: `DELETE FROM "${sqlName}"`, args: [] });
            }
          });
        }
      },
    },
  };
}

function repeatable() {
  const random = seededRandom(11);
  return {
    bytes: (length: number) => Uint8Array.from({ length }, () => random.below(256)),
  };
}

const HOST = { host: new URL(BASE_URL).host };

/** A session is put into the database once: a run removes it at its end. */
function credentialsFor(model: ProjectModel, { database }: ApiUnderTest) {
  const cookies = new Map<string, string>();
  return async (world: World): Promise<Readonly<Record<string, string>> | string> => {
    if (world.caller.credential !== "session") return await credentialsOf(world, model);
    const cookie = cookies.get(world.name) ?? await seededSession(world, database);
    cookies.set(world.name, cookie);
    return { ...HOST, cookie, origin: BASE_URL };
  };
}

async function seededSession(world: World, database: ApiUnderTest["database"]): Promise<string> {
  // The account library reads the clock of the machine.
  const seed = sessionSeed(world, repeatable(), Date.now());
  await insertAccounts(database, seed.statements);
  const settings = { authSecret: AUTH_SECRET, baseUrl: BASE_URL };
  return await sessionCookieFor(seed.token, settings);
}

async function credentialsOf(
  { caller }: World,
  { auth: { jwt } }: ProjectModel,
): Promise<Readonly<Record<string, string>> | string> {
  const { credential } = caller;
  if (credential === "none") return HOST;
  if (credential !== "token" && credential !== "scope") {
    return `the API under test takes no ${credential}`;
  }
  const issued = jwt?.issuer ? { iss: jwt.issuer } : {};
  return { ...HOST, authorization: `Bearer ${await tokenFor({ ...claimsOf(caller), ...issued })}` };
}

function claimsOf(
  { userId, organizationId, teamId, roles, userRole, scope }: World["caller"],
): Claims {
  const tenant = organizationId === null ? {} : { orgId: organizationId };
  if (scope !== undefined) return { sub: `scope:${scope}`, scope, ...tenant };
  return {
    sub: userId ?? "",
    roles,
    ...tenant,
    ...(teamId === null ? {} : { teamId }),
    ...(userRole === null ? {} : { userRole }),
  };
}
