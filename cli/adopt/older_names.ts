/**
 * Finds how the old tables spell their names, and adds those to the configuration, so that no table is created twice
 * (definitions 2, `compiler.migrations`).
 */
import type { ProjectModel, SqlTable } from "../../shared/model/mod.ts";
import { camelCase } from "../../shared/surface/names.ts";
import { additionTo, membersOf, nodesOf, withEdits } from "./source_edits.ts";

/** Maps old SQL names to new ones; for a column, `table.old` to the column's name. */
export interface Spellings {
  readonly tables: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, string>>;
  /** True when `namingConvention: "camelCase"` spells every column correctly. */
  readonly isCamelCase: boolean;
}

/** Compares names; those that differ only in case and underscores are the same name. */
export function spellingsOf(old: readonly SqlTable[], { tables }: ProjectModel): Spellings {
  const pairs = old.flatMap((before) => {
    const after = tables.find(({ sqlName }) => sqlName === before.name) ??
      tables.find(({ sqlName }) => folded(sqlName) === folded(before.name));
    return after ? [{ before, after }] : [];
  });
  const columns = pairs.flatMap((pair) => {
    const spelled = new Set(pair.after.columns.map(({ sqlName }) => sqlName));
    const known = new Set(pair.before.columns.map(({ name }) => name));
    return pair.before.columns.filter(({ name }) => !spelled.has(name)).flatMap(({ name: old }) => {
      const column = pair.after.columns.find(({ sqlName }) =>
        folded(sqlName) === folded(old) && !known.has(sqlName)
      );
      return column ? [{ key: `${pair.after.name}.${old}`, old, name: column.name }] : [];
    });
  });
  return {
    tables: Object.fromEntries(
      pairs.filter(({ before, after }) => before.name !== after.sqlName)
        .map(({ before, after }) => [before.name, after.sqlName]),
    ),
    columns: Object.fromEntries(columns.map(({ key, name }) => [key, name])),
    isCamelCase: columns.length > 0 && columns.every(({ old, name }) => old === camelCase(name)) &&
      pairs.every(({ before, after }) => {
        const known = new Set(before.columns.map(({ name }) => name));
        const spelled = (name: string) =>
          before.columns.find((one) => folded(one.name) === folded(name));
        return after.columns.every(({ name }) => !spelled(name) || known.has(camelCase(name)));
      }),
  };
}

/** Returns one spelling for names that differ only in case and underscores. */
export function folded(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Returns the configuration with the names added; null: it already has that option, or is not a literal. */
export function withSpellings(
  path: string,
  text: string,
  { tables, columns, isCamelCase }: Spellings,
): string | null {
  const nodes = nodesOf(path, text);
  if (isCamelCase) {
    const options = nodes.flatMap((node) => {
      if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return [];
      const [, given] = node.arguments;
      return node.callee.name === "defineDatabase" && given?.type === "ObjectExpression"
        ? [given]
        : [];
    })[0];
    if (!options || membersOf(options).has("namingConvention")) return null;
    return withEdits(text, [additionTo(text, options, 'namingConvention: "camelCase"')]);
  }
  const exported = nodes.find((node) => node.type === "ExportDefaultDeclaration");
  const value = exported?.type === "ExportDefaultDeclaration" ? exported.declaration : undefined;
  const object = value?.type === "CallExpression" ? value.arguments[0] : value;
  const config = object?.type === "ObjectExpression" ? object : null;
  if (!config || membersOf(config).has("compiler")) return null;
  return withEdits(text, [additionTo(text, config, renamesText({ tables, columns }))]);
}

/** Writes the member of the configuration, as its author would write it. */
export function renamesText({ tables, columns }: Omit<Spellings, "isCamelCase">): string {
  const lines = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([from, to]) =>
      `        ${/^\w+$/.test(from) ? from : JSON.stringify(from)}: ${JSON.stringify(to)},`
    );
  const member = (key: string, names: Readonly<Record<string, string>>) =>
    Object.keys(names).length === 0 ? [] : [`      ${key}: {`, ...lines(names), "      },"];
  return [
    "compiler: {",
    "  migrations: {",
    "    renames: {",
    ...member("tables", tables),
    ...member("columns", columns),
    "    },",
    "  },",
    "}",
  ].join("\n");
}
