/** The account tables in the model are the ones that the account library wants for our options, and what the service adds. */
import { assertEquals } from "@std/assert";
import { getAuthTables } from "better-auth/db";
import { columnName } from "../../../shared/accounts/table_statements.ts";
import { authTables } from "../../../shared/model/auth_tables.ts";
import type { SqlColumn, SqlTable } from "../../../shared/model/sql_table.ts";
import { withDatabase } from "../../support/databases.ts";
import { sampleAuthOptions } from "../../support/sample_auth_options.ts";
import { signInProject } from "../../support/sign_in.ts";
import { project } from "../../support/sample_project.ts";

type LibraryTable = ReturnType<typeof getAuthTables>[string];
type LibraryField = LibraryTable["fields"][string];

const SQL_TYPES: Readonly<Record<string, SqlColumn["type"]>> = {
  string: "text",
  date: "text",
  boolean: "integer",
  number: "integer",
};

const everyWay = signInProject({
  magicLink: true,
  emailCode: true,
  twoFactor: true,
  passkeys: true,
  social: ["github"],
});

for (
  const { name, served } of [{ name: "alone", served: project }, {
    name: "and every way",
    served: everyWay,
  }]
) {
  Deno.test(`with passwords ${name} the tables are the library's: names, types, nullability, keys and indexes, and four indexes more`, async () => {
    await withDatabase((database) => {
      const options = sampleAuthOptions(database, served);
      const wanted = Object.entries(getAuthTables(options)).map(([model, table]) =>
        described(model, table)
      );
      const tables = authTables(served.auth).filter(({ name }) => name !== "auth_token_cutoff");
      assertEquals(sorted(tables.map(withoutOwn)), sorted(wanted));
      return Promise.resolve();
    });
  });
}

/** Columns that the service adds to the library's tables. */
const OWN: readonly string[] = [
  "auth_session.after_proof",
  "auth_session.second_factor",
  "auth_apikey.after_proof",
  "auth_apikey.platform_role",
  "auth_two_factor.last_used_step",
];

function withoutOwn(table: SqlTable): SqlTable {
  const isOwn = ({ name }: SqlColumn) => OWN.includes(`${table.name}.${name}`);
  return { ...table, columns: table.columns.filter((column) => !isOwn(column)) };
}

/** Columns that the library looks rows up by and has no index for. */
const LOOKED_UP_BY: readonly string[] = [
  "account.accountId",
  "apikey.expiresAt",
  "invitation.inviterId",
  "verification.expiresAt",
];

function described(model: string, table: LibraryTable): SqlTable {
  const name = `auth_${columnName(model)}`;
  const fields = Object.entries(table.fields);
  return {
    name,
    columns: [
      { ...column("id", { type: "string", required: true }), primaryKey: true },
      ...fields.map(([field, attributes]) => column(columnName(field), attributes)),
    ],
    indexes: fields.filter(([field, { unique, index }]) =>
      unique || index || LOOKED_UP_BY.includes(`${model}.${field}`)
    ).map((
      [field, { unique }],
    ) => ({
      name: `${name}_${columnName(field)}_${unique ? "unique" : "idx"}`,
      columns: [columnName(field)],
      unique: unique === true,
      where: null,
    })),
  };
}

function column(name: string, { type, required, references }: LibraryField): SqlColumn {
  return {
    name,
    type: SQL_TYPES[String(type)] ?? "blob",
    notNull: required !== false,
    primaryKey: false,
    autoIncrement: false,
    default: null,
    references: references
      ? {
        table: `auth_${references.model}`,
        column: references.field,
        // The library's own migrations cascade where it says nothing.
        onDelete: references.onDelete === "set null" ? "set null" : "cascade",
      }
      : null,
  };
}

function sorted(tables: readonly SqlTable[]): readonly SqlTable[] {
  const byName = (a: { name: string }, b: { name: string }) => a.name < b.name ? -1 : 1;
  return tables.map((table) => ({
    ...table,
    columns: [...table.columns].sort(byName),
    indexes: [...table.indexes].sort(byName),
  })).sort(byName);
}
