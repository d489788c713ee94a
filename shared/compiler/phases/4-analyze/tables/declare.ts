/** Reads every table file of the project into a draft (definitions 1 and 3). */
import { PAUSE, type Steps } from "../../../../lib/steps.ts";
import { FEATURE, RESOURCE } from "../../../../definition_language/resource.ts";
import type { Definition, Definitions, Value } from "../../values.ts";
import { camelCase, DEFINITION_NAME, snakeCase } from "../../../../surface/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Configuration } from "../config/config.ts";
import { type At, invalidValue, noFields, readFields, wrongType } from "../read/mod.ts";
import { RESOURCE_FORMS } from "../read/other_words.ts";
import { readColumns } from "./columns.ts";
import type { ResourceFields, TableDraft } from "./draft.ts";
import { type TableSource, tableSource } from "./forms.ts";
import { completeColumns } from "./system_columns.ts";

export interface DeclaredTables {
  readonly tables: readonly TableDraft[];
  readonly brokenFiles: ReadonlySet<string>;
}

export function* declareTables(
  definitions: Definitions["tables"],
  config: Configuration,
  report: Report,
): Steps<DeclaredTables> {
  const tables: TableDraft[] = [];
  const brokenFiles = new Set<string>();
  for (const definition of definitions) {
    const table = declareTable(definition, config, report);
    if (table) tables.push(table);
    else brokenFiles.add(definition.file);
    yield PAUSE;
  }
  return { tables: tables.sort((a, b) => a.name < b.name ? -1 : 1), brokenFiles };
}

function declareTable(
  definition: Definition & { readonly feature: string },
  config: Configuration,
  report: Report,
): TableDraft | null {
  const source = tableSource(definition, { path: definition.feature, report });
  const name = source && readName(source.name, { path: "the table's name", report });
  if (!source || name === undefined || name === null) return null;
  const at: At = { path: name, report };
  const options = source.options && readOptions(source, source.options, at);
  const softDelete = deleteModeOf(options ?? null) !== "hard";
  const columns = readColumns(source.columns, at);
  const declaresDeletedAt = columns?.some((column) => column.name === "deletedAt") ?? false;
  const { line, column } = source.place;
  return {
    file: definition.file,
    feature: definition.feature,
    name,
    namePlace: source.name.place,
    sqlName: config.model.database.namingConvention === "snake_case"
      ? snakeCase(name)
      : camelCase(name),
    origin: { file: definition.file, line, column },
    options: options ?? null,
    ...(source.doc === null ? {} : { doc: source.doc }),
    exception: source.exception,
    isComplete: columns !== null && !hasLostColumn(source.columns, report),
    columns: completeColumns(columns ?? [], {
      place: source.name.place,
      softDelete: softDelete || declaresDeletedAt,
      at,
    }),
    softDelete: softDelete || declaresDeletedAt,
  };
}

/** True when something between the columns could not be read: a spread, or a computed name. */
function hasLostColumn(columns: Value, report: Report): boolean {
  if (columns.kind !== "object") return true;
  const lines = columns.entries.map((entry) => entry.keyPlace.line);
  const last = Math.max(columns.place.line, ...lines) + 1;
  return report.errorsIn(columns.place.file).some(({ code, place }) =>
    code === "NOT_STATIC" &&
    place.line >= columns.place.line && place.line <= last && !lines.includes(place.line)
  );
}

function readName(value: Value, at: At): string | undefined {
  if (value.kind !== "string") return wrongType(value, "a string", at);
  return DEFINITION_NAME.test(value.value)
    ? value.value
    : invalidValue(value, "a name in camelCase or snake_case", at);
}

/** Reads the options. A wrong object still makes a resource, so that its other mistakes are found. */
function readOptions(source: TableSource, value: Value, at: At): ResourceFields {
  const shape = source.form === "feature" ? FEATURE : RESOURCE;
  return readFields(value, shape, at, RESOURCE_FORMS) ?? noFields(shape, value.place, at);
}

/** Returns the delete mode before the operations are read, because the table's columns depend on it. */
function deleteModeOf(options: ResourceFields | null): string | null {
  const crud = options?.entries.get("crud")?.value;
  const nested = crud?.kind === "object"
    ? crud.entries.find((entry) => entry.key === "delete")?.value
    : undefined;
  const config = options?.entries.get("delete")?.value ?? nested;
  const mode = config?.kind === "object"
    ? config.entries.find((entry) => entry.key === "mode")?.value
    : undefined;
  return mode?.kind === "string" ? mode.value : null;
}
