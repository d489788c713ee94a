/** Plants a seed: accounts as they are, rows through every layer, all of it in one transaction (definitions 1, `seed.ts`). */
import { isJsonObject } from "../lib/json.ts";
import type { JsonValue, Principal, ProjectModel } from "../model/mod.ts";
import { isPerOrganization } from "../model/mod.ts";
import * as seeds from "../model/seed.ts";
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import { nameMeant } from "../surface/mod.ts";
import { type AppOptions, createApp } from "./app.ts";
import { insertAccounts, isPlanted, markPlanted } from "./data/seed_accounts.ts";
import { databaseWithin } from "./data/within.ts";
import { databaseQueue } from "./data/database_queue.ts";
import type { Accounts, Ports, Settings, Transaction } from "./ports.ts";

export interface SeedSoil {
  readonly project: ProjectModel;
  readonly ports: Ports & { readonly accounts: Accounts };
  readonly settings: Settings;
  readonly options: AppOptions;
  /** Hashes a password in the form in which accounts store it. */
  readonly hashPassword: (password: string) => Promise<string>;
}

/** Members of the named rows, by the rows' names. */
export type PlantedRows = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A seed with its hash, which is planted once; or rows alone, which are planted at each call. */
export type Seed =
  & Pick<seeds.SeedModel, "organizations" | "users" | "rows">
  & Partial<Pick<seeds.SeedModel, "hash">>;

/**
 * Plants a seed; null: this seed has been planted in this database before. Throws, and leaves nothing, where a row is refused,
 * where another seed has been planted, in production, and where each organization has a database of its own.
 */
export async function plantSeed(seed: Seed, soil: SeedSoil): Promise<PlantedRows | null> {
  const { project, ports, settings } = soil;
  if (settings.production) {
    throw new Error("Cannot plant a seed: APP_ENV is 'production', and its rows are not for that");
  }
  if (isPerOrganization(project)) {
    throw new Error(
      "Cannot plant a seed: it is one transaction, and each organization has a database of its own; " +
        'plant it with tenancy: "shared", or in a test',
    );
  }
  const passwords = new Map<string, string>();
  for (const { id, password } of seed.users) {
    if (password !== null) passwords.set(id, await soil.hashPassword(password));
  }
  return await ports.database.write(async (transaction) => {
    if (seed.hash !== undefined && await isPlanted(transaction, seed.hash)) return null;
    const now = new Date(ports.clock.now()).toISOString();
    await insertAccounts(transaction, { ...seed, passwords, now });
    const planted = await plantRows(seed.rows, transaction, soil);
    if (seed.hash !== undefined) await markPlanted(transaction, { hash: seed.hash, now });
    return planted;
  });
}

/** Creates each row as its principal; a refusal of one row undoes all of them. */
async function plantRows(
  rows: readonly seeds.SeedRow[],
  transaction: Transaction,
  { project, ports, settings, options }: SeedSoil,
): Promise<PlantedRows> {
  let principal: Principal | null = null;
  const database = databaseWithin(transaction);
  const { webhooks } = ports;
  const app = createApp(
    project,
    {
      ...ports,
      database,
      copy: null,
      // Queued jobs are part of the transaction, too.
      ...(webhooks
        ? { webhooks: { ...webhooks, queue: databaseQueue({ ...ports, database }) } }
        : {}),
      limiter: null,
      accounts: {
        ...ports.accounts,
        apiKey: (key) =>
          Promise.resolve(
            key === KEY && principal !== null
              ? { kind: "principal", principal }
              : { kind: "refused", code: "AUTH_INVALID_TOKEN" },
          ),
      },
    },
    { ...settings, allowedHosts: null },
    options,
  );
  const planted = new Map<string, Readonly<Record<string, unknown>>>();
  try {
    for (const [index, row] of rows.entries()) {
      principal = { credential: "token", ...row.by };
      const made = await created(row, index, {
        project,
        planted,
        fetch: (path, init) => app.fetch(requestOf(settings.baseUrl, path, init), NOBODY),
      });
      if (row.as !== null) planted.set(row.as, made);
    }
  } finally {
    app.end();
  }
  return Object.fromEntries(planted);
}

/** The key of the only caller: only this function can reach the app that accepts it. */
const KEY = "quickback-seed";
const NOBODY = { clientIp: "127.0.0.1" };

interface Planting {
  readonly project: ProjectModel;
  readonly planted: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
}

async function created(
  row: seeds.SeedRow,
  index: number,
  { project, planted, fetch }: Planting,
): Promise<Readonly<Record<string, unknown>>> {
  const where = `Row ${index + 1} of the seed, of "${row.resource}"${
    row.at === null ? "" : ` (${row.at})`
  },`;
  const meant = nameMeant(row.resource, project.resources.map(({ name }) => name));
  const resource = project.resources.find(({ name }) => name === meant);
  if (!resource?.create) throw new Error(`${where} is of no resource that can be created`);
  const path = `${CONTRACT_VERSIONS[project.contract].apiBase}/${resource.segment}`;
  const body = JSON.stringify(resolved(row.values, planted, where));
  const answer = await fetch(path, { method: "POST", body });
  const json: unknown = await answer.json();
  if (answer.status === 201 && isJsonObject(json)) return json;
  throw new Error(`${where} was refused with ${answer.status}: ${refusalText(json)}`);
}

/** Returns the value with references replaced by the members that they name. */
function resolved(value: JsonValue, planted: Planting["planted"], where: string): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, planted, where));
  const reference = seeds.seedReference(value);
  if (reference === null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, resolved(member, planted, where)]),
    );
  }
  const [name = "", member = ""] = reference.split(".");
  const row = planted.get(name);
  if (row === undefined || !Object.hasOwn(row, member)) {
    throw new Error(`${where} refers to "${reference}", which no row before it has`);
  }
  return JSON.parse(JSON.stringify(row[member]));
}

/** Returns code, detail, place and fields of a problem document as text. */
function refusalText(json: unknown): string {
  if (!isJsonObject(json)) return "no JSON";
  const { code, detail, title, pointer, details } = json;
  const where = typeof pointer === "string" ? ` at ${pointer}` : "";
  const more = isJsonObject(details) ? `; ${JSON.stringify(details)}` : "";
  return `${String(code ?? "")} ${String(detail ?? title ?? "")}`.trim() + where + more;
}

function requestOf(baseUrl: string, path: string, init: RequestInit): Request {
  const headers = {
    host: new URL(baseUrl).host,
    "content-type": "application/json",
    "x-api-key": KEY,
  };
  return new Request(new URL(path, baseUrl), { ...init, headers });
}
