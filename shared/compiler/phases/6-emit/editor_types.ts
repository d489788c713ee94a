/**
 * Writes declarations for editors and type checkers, beside a project's definitions: they declare the modules `quickback` and
 * `../schema` of this project. Paths are relative to its `.quickback` folder.
 */
import { compareText } from "../../../lib/texts.ts";
import { typescriptProperty, typescriptString } from "../../../lib/typescript_text.ts";
import type { ActionModel, ActionSource, AuthModel, ProjectModel } from "../../../model/mod.ts";
import { knownRoles, sourcePath } from "../../../model/mod.ts";
import type { GeneratedFile } from "../../host.ts";
import type { SpecPlan } from "../5-plan/output_plan.ts";
import { specsOf } from "../5-plan/plan.ts";
import { signalMembers, tableMembers } from "./authored/register_members.ts";
import { relationsModule, schemaIndex, schemaModule } from "./schema_modules.ts";
import { moduleText } from "./typescript/source.ts";

/** Names of the values that each table's file exports, by its path. */
export type TableExports = Readonly<Record<string, readonly string[]>>;

interface EditorTypesInput {
  readonly model: ProjectModel;
  readonly tableExports: TableExports;
}

/** Returns the declarations' files, sorted by path. The function is pure. */
export function editorTypes(input: EditorTypesInput): readonly GeneratedFile[] {
  const specs = specsOf(input.model);
  const context = { specs: new Map(specs.map((spec) => [spec.table.name, spec])) };
  const relations = relationsModule(specs);
  return [
    { path: "types.d.ts", content: register(input, specs) },
    ...featuresOf(specs).map(([feature, own]) => ({
      path: `types/quickback/features/${feature}/schema.ts`,
      content: featureSchema(feature, own, input.tableExports),
    })),
    ...(relations === null ? [] : [{ path: "types/relations.ts", content: relations }]),
    ...specs.map((spec) => ({
      path: `types/schema/${spec.fileName}.ts`,
      content: schemaModule(spec, context),
    })),
    {
      path: "types/schema/mod.ts",
      content: schemaIndex(specs, { hasRelations: relations !== null }),
    },
  ];
}

function register({ model, tableExports }: EditorTypesInput, specs: readonly SpecPlan[]): string {
  const names = model.actions.map(({ name }) => name);
  return moduleText({
    comment:
      "Tells editors and type checkers what this project has. Made by quickback from the definitions: dev and types keep it current.",
    imports: [
      { from: "quickback", names: null },
      { from: "./types/schema/mod.ts", names: ["type * as schema"] },
    ],
    statements: [
      [
        'declare module "quickback" {',
        "  interface Register {",
        "    readonly schema: typeof schema;",
        ...tableMembers(specs),
        ...columnsOf(specs),
        ...keysOf(specs),
        ...members("records", recordsOf(model.actions, specs)),
        ...members("actions", model.actions.map((action) => [action.key, typeOf(action.source)])),
        ...union("actionNames", names),
        ...rolesOf(model.auth),
        ...(model.webhooks.outbound ? union("events", model.webhooks.events) : []),
        ...members(
          "services",
          model.authored.services.map(({ name, module }) => [
            name,
            `ReturnType<(${typeOf({ module, member: null })})["create"]>`,
          ]),
        ),
        ...members(
          "jobs",
          (model.authored.jobs ?? []).map(({ name, module }) => [
            name,
            typeOf({ module, member: null }),
          ]),
        ),
        ...signalMembers(model.realtime.signals),
        ...union("signalNames", model.realtime.signals.map(({ name }) => name)),
        "  }",
        "}",
      ].join("\n"),
      ...specs.filter(isAuthored).flatMap((spec) => namedExport(spec, tableExports)),
    ],
  });
}

/**
 * Returns the types of tables by the descriptions of the actions that bind their records. Two actions with one description may
 * bind a record of either table.
 */
function recordsOf(
  actions: readonly ActionModel[],
  specs: readonly SpecPlan[],
): readonly (readonly [string, string])[] {
  const types = new Map<string, Set<string>>();
  for (const { kind, table, description } of actions) {
    const spec = specs.find((candidate) => candidate.table.name === table);
    if (kind !== "record" || !spec) continue;
    const known = types.get(description) ?? new Set();
    types.set(description, known.add(`typeof schema.${spec.identifier}`));
  }
  return [...types].map(([description, tables]) => [description, [...tables].join(" | ")]);
}

/** Returns the columns of all tables that have expressions over their columns. */
function columnsOf(specs: readonly SpecPlan[]): readonly string[] {
  const columns = specs.flatMap(({ table }) => table.columns);
  if (!columns.some(({ computed }) => computed !== undefined)) return [];
  return union("columnNames", columns.map(({ name }) => name).toSorted(compareText));
}

/** Returns the foreign keys of all tables, by which rules and rollups name relations. */
function keysOf(specs: readonly SpecPlan[]): readonly string[] {
  const keys = specs.flatMap(({ table: { name, columns } }) =>
    columns.filter(({ references }) => references !== null).map((key) => `${name}.${key.name}`)
  );
  return union("foreignKeys", keys.toSorted(compareText));
}

/** Returns the roles; none if the configuration lists none, because a project may then name any. */
function rolesOf(auth: AuthModel): readonly string[] {
  const roles = knownRoles(auth)?.flatMap((role) =>
    auth.roleHierarchy.includes(role) ? [role, `${role}+`] : [role]
  );
  return roles ? union("roles", roles) : [];
}

/**
 * Returns the type of an action's definition: `typeof import("../quickback/features/jobs/actions/close.ts").default`, followed
 * by the action's path inside that value.
 */
function typeOf(source: ActionSource): string {
  const whole = `typeof import(${typescriptString(`../${source.module}`)}).default`;
  const path = sourcePath(source);
  return path.length === 0
    ? whole
    : `(${whole})${path.map((name) => `[${typescriptString(name)}]`).join("")}`;
}

function members(name: string, types: readonly (readonly [string, string])[]): readonly string[] {
  return types.length === 0 ? [] : [
    `    readonly ${name}: {`,
    ...types.map(([key, type]) => `      readonly ${typescriptProperty(key)}: ${type};`),
    "    };",
  ];
}

function union(name: string, names: readonly string[]): readonly string[] {
  const options = [...new Set(names)].map((option) => `      | ${typescriptString(option)}`);
  if (options.length === 0) return [`    readonly ${name}: never;`];
  return [`    readonly ${name}:`, ...options.slice(0, -1), `${options.at(-1)};`];
}

/** Returns the tables that an author declares, by feature. */
function featuresOf(specs: readonly SpecPlan[]): readonly (readonly [string, SpecPlan[]])[] {
  const features = new Map<string, SpecPlan[]>();
  for (const spec of specs.filter(isAuthored)) {
    const { feature } = spec.table;
    features.set(feature, [...(features.get(feature) ?? []), spec]);
  }
  return [...features].sort(([a], [b]) => compareText(a, b));
}

/** False for a built-in table, which has no file in the project. */
function isAuthored({ resource }: SpecPlan): boolean {
  return resource?.builtIn === undefined;
}

/** Returns the export of a table under its own name. Every table file has it, whatever name the file uses (definitions 1). */
function namedExport({ table, identifier }: SpecPlan, exports: TableExports): readonly string[] {
  const { file } = table.origin;
  if (exports[file]?.includes(table.name)) return [];
  return [[
    `declare module ${typescriptString(`../${file}`)} {`,
    `  export const ${table.name}: typeof schema.${identifier};`,
    "}",
  ].join("\n")];
}

/** Writes `../schema` of a feature: its tables by name, and the other exports of their files. */
function featureSchema(feature: string, specs: readonly SpecPlan[], exports: TableExports): string {
  const taken = new Set(["default", ...specs.map(({ table }) => table.name)]);
  const statements = specs.flatMap(({ table: { name, origin }, identifier }) => {
    const others = (exports[origin.file] ?? []).filter((other) => !taken.has(other));
    for (const other of others) taken.add(other);
    const table = identifier === name ? name : `${identifier} as ${name}`;
    const from = typescriptString(`../../../../../${origin.file}`);
    return [
      `export { ${table} } from "../../../schema/mod.ts";`,
      ...(others.length === 0 ? [] : [`export { ${others.toSorted().join(", ")} } from ${from};`]),
    ];
  });
  return moduleText({
    comment: `All tables of feature ${feature}.`,
    imports: [],
    statements: [statements.join("\n")],
  });
}
