/** Webhook endpoints as rows (contract 2.8). Every statement is bound to one scope: an organization, or a user. */
import { z } from "zod";
import { ROTATION_OVERLAP_MS, SIGNING_SECRETS_MAX } from "../../../contract/mod.ts";
import type { Reader, SqlValue, Statement, Transaction } from "../../ports.ts";
import { type Fragment, fragment } from "../sql.ts";
import { type Page, type PageRows, pageRows, pageSql } from "./deliveries.ts";

/** Owner of endpoints. */
export type WebhookScope =
  | { readonly kind: "organization"; readonly id: string }
  | { readonly kind: "user"; readonly id: string };

export interface EndpointRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** Earlier secrets that may still sign, the newest first. */
  readonly previousSecrets: readonly PreviousSecret[];
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: string;
}

interface PreviousSecret {
  readonly secret: string;
  /** ISO 8601. */
  readonly until: string;
}

type EndpointChange = Partial<Pick<EndpointRow, "name" | "url" | "events" | "enabled">>;

const COLUMNS =
  "id, name, url, secret, previous_secret, previous_secret_until, events, enabled, created_at";

const patterns = z.array(z.string());

export async function selectEndpoint(
  reader: Reader,
  scope: WebhookScope,
  id: string,
): Promise<EndpointRow | null> {
  const owned = ownedBy(scope);
  const { rows } = await reader.run(fragment(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = ? AND ${owned.sql}`,
    id,
    ...owned.args,
  ));
  return rows[0] ? endpointRow(rows[0]) : null;
}

export async function selectEndpoints(
  reader: Reader,
  scope: WebhookScope,
  page: Page,
): Promise<PageRows<EndpointRow>> {
  const { sql, args } = pageSql(ownedBy(scope), page);
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_endpoints ${sql}`, ...args),
  );
  return pageRows(rows, page, endpointRow);
}

/** Selects an endpoint without a scope, for deliveries: the delivery names it. */
export async function selectEndpointOfDelivery(
  reader: Reader,
  id: string,
): Promise<EndpointRow | null> {
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = ?`, id),
  );
  return rows[0] ? endpointRow(rows[0]) : null;
}

/** Enabled endpoints of any of these scopes. */
export async function selectListeners(
  reader: Reader,
  scopes: readonly WebhookScope[],
): Promise<readonly EndpointRow[]> {
  const found: EndpointRow[] = [];
  for (const scope of scopes) {
    const owned = ownedBy(scope);
    const { rows } = await reader.run(fragment(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE ${owned.sql} AND enabled = 1 ORDER BY id`,
      ...owned.args,
    ));
    found.push(...rows.map(endpointRow));
  }
  return found;
}

export async function countEndpoints(reader: Reader, scope: WebhookScope): Promise<number> {
  const owned = ownedBy(scope);
  const { rows } = await reader.run(
    fragment(`SELECT COUNT(*) FROM webhook_endpoints WHERE ${owned.sql}`, ...owned.args),
  );
  return Number(rows[0]?.[0]);
}

export async function insertEndpoint(
  transaction: Transaction,
  row: EndpointRow,
  owner: { readonly scope: WebhookScope; readonly createdBy: string | null },
): Promise<void> {
  const { scope, createdBy } = owner;
  await transaction.run({
    sql: `INSERT INTO webhook_endpoints
      (id, name, url, secret, events, enabled, created_at, organization_id, user_id, created_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      row.id,
      row.name,
      row.url,
      row.secret,
      JSON.stringify(row.events),
      Number(row.enabled),
      row.createdAt,
      scope.kind === "organization" ? scope.id : null,
      scope.kind === "user" ? scope.id : null,
      createdBy,
    ],
  });
}

/** The endpoint as it is now; null when there is none in the scope. */
export async function updateEndpoint(
  transaction: Transaction,
  scope: WebhookScope,
  change: EndpointChange & { readonly id: string },
): Promise<EndpointRow | null> {
  await transaction.run(changeStatement(scope, change));
  return await selectEndpoint(transaction, scope, change.id);
}

function changeStatement(
  scope: WebhookScope,
  { id, name, url, events, enabled }: EndpointChange & { readonly id: string },
): Statement {
  const owned = ownedBy(scope);
  return {
    sql: `UPDATE webhook_endpoints SET name = coalesce(?, name), url = coalesce(?, url),
      events = coalesce(?, events), enabled = coalesce(?, enabled) WHERE id = ? AND ${owned.sql}`,
    args: [
      name ?? null,
      url ?? null,
      events === undefined ? null : JSON.stringify(events),
      enabled === undefined ? null : Number(enabled),
      id,
      ...owned.args,
    ],
  };
}

/** False when there is no such endpoint in the scope. */
export async function rotateEndpointSecret(
  transaction: Transaction,
  scope: WebhookScope,
  { id, secret, now }: {
    readonly id: string;
    readonly secret: string;
    readonly now: number;
  },
): Promise<boolean> {
  const endpoint = await selectEndpoint(transaction, scope, id);
  if (endpoint === null) return false;
  const until = new Date(now + ROTATION_OVERLAP_MS).toISOString();
  const previous = [{ secret: endpoint.secret, until }, ...signingSecrets(endpoint, now)]
    .slice(0, SIGNING_SECRETS_MAX - 1);
  const owned = ownedBy(scope);
  await transaction.run(fragment(
    `UPDATE webhook_endpoints SET previous_secret = ?, previous_secret_until = ?, secret = ?
      WHERE id = ? AND ${owned.sql}`,
    previous.map((old) => old.secret).join(" "),
    previous.map((old) => old.until).join(" "),
    secret,
    id,
    ...owned.args,
  ));
  return true;
}

/** Endpoints of every scope whose id comes after this one, in its order: for a look at the secrets of all. */
export async function selectSealed(
  reader: Reader,
  after: string,
  limit: number,
): Promise<readonly EndpointRow[]> {
  const { rows } = await reader.run(
    fragment(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id > ? ORDER BY id LIMIT ?`,
      after,
      limit,
    ),
  );
  return rows.map(endpointRow);
}

/** Replaces the same secrets by their new seals, unless a rotation has changed `known` since. */
export async function replaceSealed(
  transaction: Transaction,
  { id, secret, previous }: {
    readonly id: string;
    readonly secret: string;
    /** In the order of `previousSecrets`. */
    readonly previous: readonly string[];
  },
  known: string,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE webhook_endpoints SET secret = ?, previous_secret = ? WHERE id = ? AND secret = ?`,
    secret,
    previous.length === 0 ? null : previous.join(" "),
    id,
    known,
  ));
}

/** The previous secrets that sign at this moment: each for a day after its rotation, whatever the clock does. */
export function signingSecrets(
  { previousSecrets }: Pick<EndpointRow, "previousSecrets">,
  now: number,
): readonly PreviousSecret[] {
  return previousSecrets.filter(({ until }) => Date.parse(until) > now);
}

/** Disables an endpoint without a scope, for deliveries. */
export async function disableEndpoint(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(fragment("UPDATE webhook_endpoints SET enabled = 0 WHERE id = ?", id));
}

/** Disables all of a scope. */
export async function disableEndpointsOf(
  transaction: Transaction,
  scope: WebhookScope,
): Promise<void> {
  const owned = ownedBy(scope);
  await transaction.run(fragment(
    `UPDATE webhook_endpoints SET enabled = 0 WHERE enabled = 1 AND ${owned.sql}`,
    ...owned.args,
  ));
}

/** False when there is no such endpoint in the scope. */
export async function deleteEndpoint(
  transaction: Transaction,
  scope: WebhookScope,
  id: string,
): Promise<boolean> {
  const owned = ownedBy(scope);
  const { changes } = await transaction.run(
    fragment(`DELETE FROM webhook_endpoints WHERE id = ? AND ${owned.sql}`, id, ...owned.args),
  );
  return changes > 0;
}

function ownedBy({ kind, id }: WebhookScope): Fragment {
  return kind === "organization"
    ? fragment("organization_id = ?", id)
    : fragment("user_id = ?", id);
}

function endpointRow(cells: readonly SqlValue[]): EndpointRow {
  const [id, name, url, secret, previousSecret, previousSecretUntil, events, enabled, createdAt] =
    cells;
  return {
    id: String(id),
    name: String(name),
    url: String(url),
    secret: String(secret),
    previousSecrets: previousSecretsIn(previousSecret, previousSecretUntil),
    events: patterns.parse(JSON.parse(String(events))),
    enabled: enabled === 1,
    createdAt: String(createdAt),
  };
}

/** Secrets and their ends stand in two columns, parted by spaces, which neither has inside. */
function previousSecretsIn(
  secrets: SqlValue | undefined,
  ends: SqlValue | undefined,
): readonly PreviousSecret[] {
  if (typeof secrets !== "string" || typeof ends !== "string") return [];
  const untils = ends.split(" ");
  return secrets.split(" ").map((secret, at) => ({ secret, until: untils[at] ?? "" }));
}
