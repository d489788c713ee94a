/** Lists the codes of phase 4 about tables and their columns (definitions 1, 3). */
import { didYouMean, quote, type WayOut, wayOut } from "../wording.ts";
import { row } from "../diagnostic.ts";

/** Codes about table files, table names and foreign keys (definitions 1, 3). */
export const TABLES = {
  PATTERN_UNMET: row<{ column: string; text: string }>({
    severity: "error",
    section: "definitions 3",
    title: "An example or a default does not meet the pattern of its column",
    message: ({ column, text }) =>
      `${text} is no text that column ${quote(column)} takes, with its lengths and its pattern`,
    hint: () => "Correct the pattern, or give examples that meet it",
  }),
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
  TABLE_RESERVED: row<{ table: string; reason: string }>({
    severity: "error",
    section: "definitions 1",
    title: "A table has a name that is taken in the database or in JavaScript",
    message: ({ table, reason }) => `Table name ${quote(table)} is reserved: ${reason}`,
    hint: () =>
      "Choose another name; a table that exists keeps its rows by compiler.migrations.renames",
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
  NAME_OF_URLS: row<{ written: string; name: string }>({
    severity: "warning",
    section: "definitions 1",
    title: "A table is named as URLs name its resource",
    message: ({ written, name }) => `${quote(written)} is the name in URLs of ${quote(name)}`,
    hint: ({ name }) => `Write ${quote(name)}`,
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

export const COLUMNS = {
  COLUMN_NAME: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A column has a name that no column can have",
    message: ({ column }) => `${quote(column)} cannot be a column's name`,
    hint: () => "Use camelCase, and no name that every object or answer has already",
  }),
  COLUMN_RESERVED: row<{ column: string; sqlName: string; reason: string; hint: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A column has a name in SQL that the database keeps for itself",
    message: ({ column, sqlName, reason }) =>
      `Column ${quote(column)} would be ${quote(sqlName)} in SQL: ${reason}`,
    hint: ({ hint }) => hint,
  }),
  COLUMN_BUILDER: row<{ builder: string } & WayOut>({
    severity: "error",
    section: "definitions 3",
    title: "A column is made by a function that does not exist",
    message: ({ builder }) => `Unknown column builder ${builder}()`,
    hint: ({ form, nearest, known }) =>
      wayOut({
        form,
        nearest: nearest === null ? null : `${nearest}()`,
        known: known.map((name) => `${name}()`),
      }),
  }),
  MODIFIER_UNKNOWN: row<{ modifier: string; owner: string } & WayOut>({
    severity: "error",
    section: "definitions 3",
    title: "A column has a modifier that does not exist",
    message: ({ modifier, owner }) => `Unknown modifier .${modifier}() on ${owner}`,
    hint: ({ form, nearest, known }) =>
      wayOut({
        form,
        nearest: nearest === null ? null : `.${nearest}()`,
        known: known.map((name) => `.${name}()`),
      }),
  }),
  VECTOR_TWICE: row<{ column: string; other: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A table has two vectors",
    message: ({ column, other }) =>
      `Column ${quote(column)} is a second vector beside ${
        quote(other)
      }: "near" would not say which`,
    hint: () => "Keep one, or move the other to a table of its own",
  }),
  VECTOR_MISPLACED: row<{ column: string; owner: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A vector is named where only other columns may be",
    message: ({ column, owner }) => `Column ${quote(column)} is a vector and cannot be in ${owner}`,
    hint: () => "Remove it; requests ask for it with ?fields= and compare it with ?near=",
  }),
  VECTOR_SOURCE: row<{ column: string; source: string; fault: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A vector cannot be made from a column",
    message: ({ column, source, fault }) =>
      `Column ${quote(column)} cannot be made from ${quote(source)}: ${fault}`,
    hint: () => 'Name columns such as q.text() in "from"',
  }),
  VECTOR_SHOWS_MASKED: row<{ column: string; source: string }>({
    severity: "error",
    section: "definitions 4.4",
    title: "A vector tells of a masked column",
    message: ({ column, source }) =>
      `Column ${quote(column)} is made from ${
        quote(source)
      }, and is shown to, or asked by, some from whom that is hidden`,
    hint: ({ column }) =>
      `Take it out of "from", or mask ${quote(column)} with "redact" for the same roles`,
  }),
  VECTOR_UNMADE: row<{ column: string; needs: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A vector is made where it cannot be",
    message: ({ column, needs }) => `Column ${quote(column)} has "from", which needs ${needs}`,
    hint: () => 'Let clients write it, without "from"',
  }),
  VECTOR_PLATFORM: row<{ column: string; database: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A vector in a database that has none",
    message: ({ column, database }) =>
      `Column ${quote(column)} is a vector, and the database ${quote(database)} has none`,
    hint: () => 'Use defineDatabase("libsql"), or remove the column',
  }),
  MODIFIER_MISPLACED: row<{ modifier: string; column: string; type: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A modifier stands on a column that it does not apply to",
    message: ({ modifier, column, type }) =>
      `Modifier .${modifier}() does not apply to ${quote(column)} of type ${type}`,
    hint: () => "Remove it",
  }),
  FILE_SEGMENT_TAKEN: row<{ column: string; other: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A file column has the name of another route of its resource",
    message: ({ column, other }) =>
      `File column ${quote(column)} would share its route with ${other}`,
    hint: () => "Rename the column: its name is the last part of its files' addresses",
  }),
  COLUMN_NULLABILITY: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A column is optional and cannot be",
    message: ({ column }) => `Column ${quote(column)} is required and optional at once`,
    hint: () => "Remove .optional(): this column always has a value",
  }),
  DEFAULT_INVALID: row<
    { column: string; found: string; expected: string; nearest: string | null }
  >({
    severity: "error",
    section: "definitions 3",
    title: "A default does not fit its column",
    message: ({ column, found, expected }) =>
      `Default of ${quote(column)} is ${found}, expected ${expected}`,
    hint: didYouMean,
  }),
  SEQUENCE_APART: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "Numbers of a whole table, whose rows are in many databases",
    message: ({ column }) =>
      `Column ${quote(column)} counts rows of all organizations, which have databases of their own`,
    hint: () => 'Write per: "organization", which is the default',
  }),
  SEQUENCE_OF_ALL: row<{ column: string }>({
    severity: "warning",
    section: "definitions 3",
    title: "Numbers of one organization tell of the others",
    message: ({ column }) =>
      `Column ${
        quote(column)
      } counts the rows of all organizations, so each sees how many the others make`,
    hint: () => 'Write per: "organization", which is the default',
  }),
  COMPUTED_EXPRESSION: row<{ column: string; fault: string; way: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "An expression of a computed column cannot be read",
    message: ({ column, fault }) => `The expression of ${quote(column)} ${fault}`,
    hint: ({ way }) => way,
  }),
  COMPUTED_TYPE: row<{ column: string; fault: string; way: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "An expression of a computed column mixes types",
    message: ({ column, fault }) => `The expression of ${quote(column)} ${fault}`,
    hint: ({ way }) => way,
  }),
  COMPUTED_DIVISION: row<{ column: string; fault: string; way: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "An expression of a computed column divides without rounding",
    message: ({ column, fault }) => `The expression of ${quote(column)} ${fault}`,
    hint: ({ way }) => way,
  }),
  COMPUTED_OVERFLOW: row<{ column: string; fault: string; way: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "A computed number may have more digits than are exact",
    message: ({ column, fault }) => `The expression of ${quote(column)} ${fault}`,
    hint: ({ way }) => way,
  }),
  COMPUTED_CIRCLE: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "Computed columns need each other",
    message: ({ column }) => `Column ${quote(column)} is computed from itself`,
    hint: () => "Compute one of the columns of the circle from stored ones",
  }),
  ROLLUP_WIDER: row<{ column: string; children: string; only: string }>({
    severity: "warning",
    section: "definitions 3",
    title: "A total tells of rows that its reader may not see",
    message: ({ column, children, only }) =>
      `Rollup ${quote(column)} counts all rows of ${
        quote(children)
      }, of which a reader sees those with ${only}`,
    hint: ({ column }) => `Mask ${quote(column)}, or open the rows to whoever reads the total`,
  }),
  ROLLUP_INVALID: row<{ column: string; fault: string; way: string | null }>({
    severity: "error",
    section: "definitions 3",
    title: "A rollup looks at rows or columns that it cannot",
    message: ({ column, fault }) => `Rollup ${quote(column)} cannot be kept: ${fault}`,
    hint: ({ way }) => way,
  }),
  SYSTEM_COLUMN_TYPE: row<{ column: string; type: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A system column is declared with another type",
    message: ({ column, type }) => `System column ${quote(column)} must be of type ${type}`,
    hint: () => "Remove the declaration: every table has this column",
  }),
  SCOPE_COLUMN_TYPE: row<{ column: string; scope: string }>({
    severity: "error",
    section: "definitions 4.1",
    title: "A column that a scope stands on cannot hold it",
    message: ({ column, scope }) => `Column ${quote(column)} cannot carry the ${scope} scope`,
    hint: ({ scope }) =>
      scope === "softDelete"
        ? "Name a timestamp column"
        : `Declare it as q.scope(${quote(scope)}), or rename it if it means something else`,
  }),
  SCOPE_TWICE: row<{ column: string; other: string; role: string }>({
    severity: "error",
    section: "definitions 3",
    title: "Two columns of a table have one role",
    message: ({ column, other, role }) =>
      `Column ${quote(column)} is a second ${role} beside ${quote(other)}`,
    hint: () => "Keep one of the two",
  }),
  SCOPE_WITHOUT_TENANTS: row<{ name: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A single-tenant project has an organization or team scope",
    message: ({ name }) => `Column ${quote(name)} needs organizations, which this project has off`,
    hint: () => "Set features.organizations to true, or remove the column",
  }),
  COLUMN_TWICE: row<{ column: string; other: string; sqlName: string }>({
    severity: "error",
    section: "definitions 1",
    title: "Two columns of a table have one name in SQL",
    message: ({ column, other, sqlName }) =>
      `Columns ${quote(column)} and ${quote(other)} are both ${quote(sqlName)} in SQL`,
    hint: () => "Rename one of them",
  }),
  COLUMN_IS_PARAMETER: row<{ column: string }>({
    severity: "warning",
    section: "contract 4.3",
    title: "A column has the name of a query parameter",
    message: ({ column }) => `Column ${quote(column)} is also a query parameter of lists`,
    hint: ({ column }) => `Filter by it with ${quote(`${column}.in`)}, or rename it`,
  }),
  COLUMN_UNKNOWN: row<
    { column: string; table: string; nearest: string | null; form: string | null }
  >({
    severity: "error",
    section: "definitions 4",
    title: "A definition names a column that does not exist",
    message: ({ column, table }) => `Unknown column ${quote(column)} of table ${quote(table)}`,
    // The delete mode decides whether a table has these two columns.
    hint: ({ column, nearest, form }) =>
      /^deleted(At|By)$/.test(column)
        ? 'Only tables that soft-delete have it: remove it here, or the mode "hard" of delete'
        : form ?? didYouMean({ nearest }),
  }),
  COLUMN_NOT_COMPARABLE: row<{ column: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A JSON column is compared, sorted by or displayed",
    message: ({ column }) => `Column ${quote(column)} is of type json and cannot be compared`,
  }),
  PRIMARY_KEY_TWICE: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A table has two primary keys",
    message: ({ column }) => `Column ${quote(column)} is a second primary key`,
    hint: () => "Keep one; a table has exactly one",
  }),
  PRIMARY_KEY_TYPE: row<{ column: string }>({
    severity: "error",
    section: "definitions 3",
    title: "A primary key is not an id",
    message: ({ column }) => `Column ${quote(column)} cannot be the primary key`,
    hint: () => 'Declare it as q.id(), or as text("id").primaryKey() in drizzle\'s notation',
  }),
  PRIMARY_KEY_NAME: row<{ column: string }>({
    severity: "error",
    section: "contract 2.1",
    title: 'The primary key of a resource is not called "id"',
    message: ({ column }) => `Primary key ${quote(column)} of a resource must be called "id"`,
    hint: () => 'Rename it to "id"',
  }),
  PRIMARY_KEY_STORAGE: row<{ column: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A text primary key in a project whose ids are numbers",
    message: ({ column }) =>
      `Primary key ${quote(column)} is text, generateId is "serial" and needs an integer`,
    hint: () => "Write integer().primaryKey(), or choose another generateId",
  }),
  LABEL_TAKEN: row<{ label: string; column: string }>({
    severity: "error",
    section: "contract 2.4",
    title: "A column has the name of a foreign key's label",
    message: ({ label, column }) =>
      `Column ${quote(label)} has the name of the label of foreign key ${quote(column)}`,
    hint: () => "Rename it",
  }),
} as const;
