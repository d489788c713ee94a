/** Reads `tenantOf` of an action, which finds the tenant of an anonymous call by a random text (definitions 5). */
import { RANDOM_TENANT_KEY_MIN } from "../../../../contract/mod.ts";
import { scopeOf } from "../../../../column_types/mod.ts";
import { TENANT_OF } from "../../../../definition_language/action.ts";
import { nearest } from "../../../../lib/nearest.ts";
import {
  type Access,
  isPerOrganization,
  type SchemaModel,
  type TenantOfModel,
} from "../../../../model/mod.ts";
import { type Fields, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { below, type Token } from "../read/reader.ts";
import { requireColumn, requireTable } from "../tables/analysis.ts";
import type { TableDraft } from "../tables/draft.ts";
import { type ActionScope, inputField, inputNames } from "./action_scope.ts";

type TenantFields = Fields<(typeof TENANT_OF)["members"]>;

/** Returns the model of `tenantOf`; null if the action has none or a wrong one, which is reported. */
export function readTenantOf(
  scope: ActionScope,
  { access, input }: { readonly access: Access; readonly input: SchemaModel },
): TenantOfModel | null {
  const entry = scope.fields.entries.get("tenantOf");
  if (!entry) return null;
  const { found: { name }, analysis: { report, config } } = scope;
  const fields = readFields(entry.value, TENANT_OF, below(scope.fields.at, "tenantOf"));
  const at = entry.keyPlace;
  if (scope.kind === "record" || scope.verb !== null) {
    report.add("TENANT_OF_RECORD", at, { action: name });
  }
  const isPublic = access.kind === "roles" && access.roles.every((role) => role === "PUBLIC");
  if (!isPublic) report.add("TENANT_OF_ACCESS", at, { action: name });
  if (scope.fields.entries.has("unsafe")) report.add("TENANT_OF_UNSAFE", at, { action: name });
  if (isPerOrganization(config.model)) report.add("TENANT_OF_TENANCY", at, {});
  if (!fields) return null;
  const table = readTenantTable(fields, scope);
  const column = table ? readKeyColumn(fields, table, scope) : read(fields, "column")?.text;
  const field = readField(fields, input, scope);
  if (!table || column === undefined || field === undefined) return null;
  return { table: table.name, column, input: field };
}

/** Reads a table whose rows belong to organizations. */
function readTenantTable(
  fields: TenantFields,
  { analysis, graph }: ActionScope,
): TableDraft | undefined {
  const word = read(fields, "table");
  const known = word && requireTable(word, analysis);
  if (!word || !known) return undefined;
  // The table of the graph contains the scope that comes from its feature.
  const table = graph.tables.get(known.name)?.table ?? known;
  const isScoped = [...table.columns.values()].some(({ type }) =>
    type !== null && scopeOf(type) === "organization"
  );
  if (isScoped || !table.isComplete) return table;
  analysis.report.add("TENANT_OF_TABLE", word.place, { table: table.name });
  return undefined;
}

/** Reads a column whose values nobody can guess and no caller chooses. */
function readKeyColumn(
  fields: TenantFields,
  table: TableDraft,
  { analysis: { report }, resources }: ActionScope,
): string | undefined {
  const word = read(fields, "column");
  const column = word && requireColumn(word, table, report);
  if (!word || !column) return undefined;
  const made = column.default?.kind === "made" ? column.default.value : null;
  const details = { table: table.name, column: column.name };
  if (made?.kind !== "random" || made.length < RANDOM_TENANT_KEY_MIN) {
    report.add("TENANT_OF_COLUMN", word.place, { ...details, length: RANDOM_TENANT_KEY_MIN });
  }
  const resource = resources.find((one) => one.table === table.name);
  const guards = resource?.guards;
  const isGuarded = resource !== undefined && (!guards || [
    ...guards.createable,
    ...guards.updatable,
    ...guards.immutable,
    ...Object.keys(guards.protected),
  ].includes(column.name));
  if (isGuarded) report.add("TENANT_OF_GUARD", word.place, details);
  return column.name;
}

/** Reads an input field that contains a text. */
function readField(
  fields: TenantFields,
  input: SchemaModel,
  { analysis: { report } }: ActionScope,
): string | undefined {
  const word: Token | undefined = read(fields, "input");
  if (!word) return undefined;
  const schema = inputField(input, word.text);
  if (schema === undefined) {
    const meant = nearest(word.text, inputNames(input));
    report.add("INPUT_FIELD_UNKNOWN", word.place, { field: word.text, nearest: meant });
  } else if (schema && schema.kind !== "string") {
    report.add("INPUT_FIELD_TYPE", word.place, { field: word.text, expected: "a text" });
  }
  return word.text;
}
