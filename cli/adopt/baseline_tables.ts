/** Finds the tables that an older project's database already has: the first migration starts from them. */
import type { SqlTable } from "../../shared/model/sql_table.ts";
import { DraftError } from "./foreign_schema.ts";
import { type KitFolder, kitFolders } from "./kit_folders.ts";
import { readKitSnapshot } from "./kit_snapshot.ts";
import type { Files } from "./older_layout.ts";
import { folded } from "./older_names.ts";
import { nodesOf } from "./source_edits.ts";

export interface BaselineTables {
  readonly tables: readonly SqlTable[];
  /** Tables of a state that this compiler wrote, in a project that was adopted before. */
  readonly known: readonly SqlTable[];
  /** Files of the state that the baseline replaces. */
  readonly replaced: readonly string[];
  readonly decisions: readonly string[];
}

/** Names of the folders of databases that the first implementation used itself. */
const SERVICE_DATABASES: readonly string[] = ["auth", "webhooks", "audit", "files"];

/**
 * Tables that the first implementation used itself in a database that contains everything, in lower case without underscores.
 */
const SERVICE_TABLES: ReadonlySet<string> = new Set([
  "user",
  "session",
  "account",
  "verification",
  "organization",
  "member",
  "invitation",
  "team",
  "teammember",
  "apikey",
  "jwks",
  "passkey",
  "twofactor",
  "ratelimit",
  "customview",
  "auditevents",
  "webhookendpoints",
  "webhookdeliveries",
  "webhookevents",
]);

/** Returns the tables. `isOwn`: true for a snapshot that this compiler wrote; its folder stays unchanged. */
export function baselineTables(files: Files, isOwn: (snapshot: string) => boolean): BaselineTables {
  const states = kitFolders(files).map((folder) => ({
    folder,
    isKnown: isOwn(files[folder.snapshot] ?? ""),
  }));
  const folders = states.filter(({ isKnown }) => !isKnown).map(({ folder }) => folder);
  const [service, taken] = [true, false].map((isService) =>
    folders.filter(({ path }) =>
      SERVICE_DATABASES.includes(path.split("/").at(-1) ?? path) === isService
    )
  );
  // Table names are read from the definitions, even if these have other mistakes.
  const sources = Object.entries(files).filter(([path]) =>
    /^quickback\/features\/.*\.ts$/.test(path)
  );
  const defined = new Set(sources.flatMap(([path, text]) =>
    nodesOf(path, text).flatMap((node) => {
      if (node.type !== "CallExpression") return [];
      const { callee, arguments: [name] } = node;
      const maker = callee.type === "MemberExpression" ? callee.property : callee;
      const isMaker = maker.type === "Identifier" && TABLE_MAKERS.includes(maker.name);
      return isMaker && name?.type === "StringLiteral" ? [folded(name.value)] : [];
    })
  ));
  const read = (taken ?? []).map((folder) => ({
    folder,
    ...readKitSnapshot(folder.snapshot, files[folder.snapshot] ?? ""),
  }));
  const all = read.flatMap(({ folder, tables }) => tables.map((table) => ({ folder, table })));
  const known = new Map<string, KitFolder>();
  for (const { folder, table } of all) {
    const other = known.get(table.name.toLowerCase());
    if (other) {
      throw new DraftError(
        `Table "${table.name}" is in ${other.path} and in ${folder.path}, and one database can have it once: rename one of them`,
      );
    }
    known.set(table.name.toLowerCase(), folder);
  }
  const isService = ({ name }: SqlTable) =>
    SERVICE_TABLES.has(folded(name)) && !defined.has(folded(name));
  const left = all.filter(({ table }) => isService(table)).map(({ table }) => table.name);
  return {
    tables: all.map(({ table }) => table).filter((table) => !isService(table)),
    known: states.filter(({ isKnown }) => isKnown).flatMap(({ folder: { snapshot } }) =>
      readKitSnapshot(snapshot, files[snapshot] ?? "").tables
    ),
    replaced: (taken ?? []).flatMap((folder) => folder.files),
    decisions: [
      ...read.flatMap(({ decisions }) => decisions),
      ...(service ?? []).map(({ path }) =>
        `${path} is not in the baseline: the rows of its tables move as docs/guides/moving.md says, and then it may go`
      ),
      ...left.map((name) =>
        `Table "${name}" is the first implementation's own and not in the baseline: it stays in the database as it is`
      ),
    ],
  };
}

const TABLE_MAKERS: readonly string[] = ["feature", "sqliteTable", "table"];
