/** `GET /{resource}/:id`: one record, bare (contract 4.1 rule 4). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "../context.ts";
import type { Embedding, RecordQuery } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireGetQuery } from "../layers/6-validation/require_query.ts";
import { recordWithIncluded } from "../response/record.ts";
import { readResponse, rowBehindTag } from "./conditional_read.ts";
import { embeddingsOf } from "./embeddings.ts";
import { recordKey } from "./record_key.ts";
import { refuseMiss } from "./refuse_miss.ts";
import { requireRow } from "./row_access.ts";

export async function getRecord(call: Call): Promise<Response> {
  const { operation, table } = call.plan;
  const principal = await authenticate(call);
  await limitRate(call, principal);

  // Before any row is read: a foreign row and a missing one cannot be told apart.
  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  enter(call, "validation");
  const { scope, columns, include } = requireGetQuery(call, principal);

  enter(call, "firewall");
  const caller = callerIn(call, principal, scope);
  const embeddings = include && embeddingsOf(call, caller, include);
  const key = recordKey(call, firewallFor(table, caller));

  const projection = { resource: operation.resource, columns };
  const query = { ...key, projection, embeddings };
  const behind = await rowBehindTag(call, { key, columns });
  const json = rule === null ? await readRecord(call, query) : await readJudged(call, query, rule);
  const isIncluding = include !== null;
  return await readResponse(call, json, { key, columns, isIncluding, principal, row: behind });
}

interface ReadQuery extends RecordQuery {
  /** Null: `include` was not sent. */
  readonly embeddings: readonly Embedding[] | null;
}

async function selected({ request: { app } }: Call, query: ReadQuery): Promise<string | null> {
  const { embeddings } = query;
  if (embeddings === null) return await app.data.selectRecord(app.ports.database, query);
  const record = await app.data.selectWithIncluded(app.ports.database, { ...query, embeddings });
  return record && recordWithIncluded(record);
}

/** Without a row condition one statement does it all: the row comes through the firewall, masked. */
async function readRecord(call: Call, query: ReadQuery): Promise<string> {
  const json = await selected(call, query);
  if (json === null) return refuseMiss(call, query);
  enter(call, "access");
  enter(call, "operation");
  enter(call, "masking");
  return json;
}

async function readJudged(call: Call, query: ReadQuery, rule: RowRule): Promise<string> {
  const { app } = call.request;
  const row = await app.data.selectStored(app.ports.database, query);
  if (row === null) return refuseMiss(call, query);
  enter(call, "access");
  requireRow(call, rule, { row, firewall: query.firewall });

  enter(call, "operation");
  enter(call, "masking");
  const json = await selected(call, query);
  return json ?? await refuseMiss(call, query);
}
