/** Phase 4: table files, table names and foreign keys (definitions 1, 3). */
import { row } from "../row.ts";
import { quote } from "../quote.ts";
import { didYouMean } from "../wording.ts";

export const TABLES = {
  TABLE_MISSING: row<{ file: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A table file declares no table",
    message: ({ file }) => `File ${quote(file)} declares no table`,
    hint: () => "Write feature(…) or q.table(…), or move shared code to the feature's lib/ folder",
  }),
  SEVERAL_TABLES: row<{ callee: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A file declares two tables",
    message: ({ callee }) => `Second ${callee}() in one file`,
    hint: () => "Give each table a file of its own",
  }),
  RESOURCE_NOT_EXPORTED: row<{ callee: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A resource is not its file's default export",
    message: ({ callee }) => `Result of ${callee}() is not the default export of its file`,
    hint: ({ callee }) => `Write: export default ${callee}(…)`,
  }),
  TABLE_EXTRAS: row<{ callee: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A table has a third argument",
    message: ({ callee }) => `Third argument of ${callee}() is not read`,
    hint: () => 'Put its indexes under "indexes" and "unique" of defineTable()',
  }),
  TABLE_TWICE: row<{ table: string; other: string; file: string }>({
    severity: "error",
    section: "definitions 1",
    title: "Two tables have one name",
    message: ({ table, other, file }) =>
      `Table ${quote(table)} has the name of table ${quote(other)} in ${file}`,
    hint: () => "Rename one of them; names of the same words are one in SQL and in URLs",
  }),
  TABLE_RESERVED: row<{ table: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A table has a name that the service uses itself",
    message: ({ table }) => `Table name ${quote(table)} is reserved`,
    hint: () => "Choose another name",
  }),
  SEGMENT_RESERVED: row<{ table: string; segment: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A resource has a URL segment that the service uses itself",
    message: ({ table, segment }) =>
      `Table ${quote(table)} would be served at ${quote(`/${segment}`)}, which is reserved`,
    hint: () => "Choose another name",
  }),
  TABLE_UNKNOWN: row<{ table: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 4",
    title: "A definition names a table that does not exist",
    message: ({ table }) => `Unknown table ${quote(table)}`,
    hint: didYouMean,
  }),
  REFERENCE_NOT_TABLE: row<{ name: string; file: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A foreign key points at something that is no table",
    message: ({ name, file }) => `${quote(name)} of ${file} is not a table of this project`,
    hint: () => "Move it to a file of its own in a feature folder",
  }),
  REFERENCE_NOT_KEY: row<{ target: string; key: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A foreign key points at another column than the primary key",
    message: ({ target, key }) =>
      `Foreign key to table ${quote(target)} must point at its primary key ${quote(key)}`,
    hint: ({ key }) => `Write .references(() => table.${key})`,
  }),
  REFERENCE_TYPE: row<{ column: string; target: string; type: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A foreign key has another type than the key it points at",
    message: ({ column, target, type }) =>
      `Column ${quote(column)} cannot hold a key of table ${quote(target)}, expected ${type}`,
  }),
  REFERENCE_CONFLICT: row<{ column: string; table: string; other: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A foreign key is declared twice, to two tables",
    message: ({ column, table, other }) =>
      `Column ${quote(column)} references ${quote(table)} here and ${quote(other)} on the column`,
    hint: () => "Keep one of the two",
  }),
  SET_NULL_REQUIRED: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: 'A required column has onDelete "set null"',
    message: ({ column }) => `Column ${quote(column)} is required and cannot be set to null`,
    hint: () => 'Make it optional, or choose another onDelete such as "cascade"',
  }),
} as const;
