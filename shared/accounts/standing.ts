/**
 * Reads the present state of many credentials at once (contract 6.3). There is one statement for each kind: sessions, API keys
 * and grants. All read one snapshot.
 */
import type { Principal } from "../model/mod.ts";
import type {
  ClientGrant,
  Reader,
  SqlValue,
  StandingAccounts,
  StandingCredentials,
} from "../runtime/ports.ts";
import { hashOf, keyHolder, KEYS_SQL } from "./api_keys.ts";
import { grantOf, GRANTS_SQL } from "./client_grants.ts";
import type { RoleOf } from "./memberships.ts";
import { type SessionReader, SESSIONS_SQL } from "./sessions.ts";

type Row = readonly SqlValue[];

export function standingReader(rules: {
  readonly reader: Reader;
  readonly multiTenant: boolean;
  readonly roleOf: RoleOf;
  readonly sessions: SessionReader;
}): StandingAccounts {
  const { reader, sessions } = rules;
  return {
    sessionId: (headers) => sessions.tokenOf(headers),
    apiKeyId: (key) => hashOf(key),
    async among(asked) {
      const found = {
        sessions: new Map<string, Principal>(),
        apiKeys: new Map<string, Principal>(),
        grants: new Map<string, ClientGrant>(),
      } satisfies StandingCredentials;
      const looks = [
        look(asked.sessions, SESSIONS_SQL, (row) => sessions.inRow(row)?.principal, found.sessions),
        look(asked.apiKeys, KEYS_SQL, (row) => keyHolder(row, rules), found.apiKeys),
        look(asked.grants, GRANTS_SQL, (row) => grantOf(row, rules), found.grants),
      ].filter(({ ids }) => ids.length > 0);
      const results = await reader.runAll(
        looks.map(({ ids, sql }) => ({ sql, args: [JSON.stringify(ids)] })),
      );
      results.forEach(({ rows }, at) => rows.forEach((row) => looks[at]?.take(row)));
      return found;
    },
  };
}

/** Makes a statement about credentials of one kind. `take` stores a row of its answer. */
function look<T>(
  ids: readonly string[],
  sql: string,
  valueOf: (row: Row) => T | null | undefined,
  found: Map<string, T>,
) {
  return {
    ids,
    sql,
    take(row: Row) {
      const value = valueOf(row);
      if (value) found.set(String(row.at(-1)), value);
    },
  };
}
