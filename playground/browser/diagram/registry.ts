/** Reads the tables of a compile from its schema registry. */
import { z } from "zod";
import { parsedJson } from "../../../shared/lib/json.ts";
import type { OutputFile } from "../compile_stream.ts";

const FILE = "schema-registry.json";

const COLUMN = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  managedBy: z.string(),
  references: z.object({ table: z.string() }).nullable(),
  mask: z.unknown(),
});

const ACTION = z.object({
  name: z.string(),
  transition: z.object({
    field: z.string(),
    fromTo: z.record(z.string(), z.array(z.string())),
  }).nullable().default(null),
});

const RESOURCE = z.object({
  name: z.string(),
  primaryKey: z.string(),
  columns: z.array(COLUMN),
  actions: z.array(ACTION).default([]),
  /** Maps a field to its states, and each state to the states that may follow it. */
  transitions: z.record(z.string(), z.record(z.string(), z.array(z.string()))).default({}),
  /** False when only handlers use the table. */
  hasRoutes: z.boolean().default(true),
});

const REGISTRY = z.object({
  resources: z.union([z.array(RESOURCE), z.record(z.string(), RESOURCE)]),
});

export type Resource = z.infer<typeof RESOURCE>;

/** Returns the tables of the files, those without routes last; null if the project writes no registry. */
export function resourcesIn(files: readonly OutputFile[]): readonly Resource[] | null {
  const text = files.find(({ path }) => path === FILE)?.content;
  const registry = text === undefined ? undefined : REGISTRY.safeParse(parsedJson(text)).data;
  if (registry === undefined) return null;
  const resources = Object.values(registry.resources);
  return [...resources, ...internalTables(files, new Set(resources.map(({ name }) => name)))];
}

const SNAPSHOT = z.object({
  tables: z.record(
    z.string(),
    z.object({
      columns: z.record(
        z.string(),
        z.object({
          name: z.string(),
          type: z.string(),
          primaryKey: z.boolean(),
          notNull: z.boolean(),
        }),
      ),
      foreignKeys: z.record(
        z.string(),
        z.object({ tableTo: z.string(), columnsFrom: z.array(z.string()) }),
      ),
    }),
  ),
});

/**
 * Returns the project's tables that no registry contains. Their generated modules give their names; the newest snapshot gives
 * their columns.
 */
function internalTables(
  files: readonly OutputFile[],
  known: ReadonlySet<string>,
): readonly Resource[] {
  const newest = files.filter(({ path }) => /\/meta\/\d+_snapshot\.json$/.test(path))
    .toSorted((a, b) => a.path < b.path ? 1 : -1)[0];
  const snapshot = SNAPSHOT.safeParse(parsedJson(newest?.content ?? "")).data;
  const names = new Map(
    files.filter(({ path }) => path.startsWith("src/schema/")).flatMap(({ content }) =>
      [...content.matchAll(/^export const (\w+) = sqliteTable\(\s*"([^"]+)"/gm)]
        .map(([, name = "", sqlName = ""]) => [sqlName, name] as const)
    ),
  );
  return [...names].flatMap(([sqlName, name]) => {
    const table = snapshot?.tables[sqlName];
    if (table === undefined || known.has(name)) return [];
    const keys = Object.values(table.foreignKeys);
    const columns = Object.values(table.columns).map((column) => {
      const target = keys.find(({ columnsFrom }) => columnsFrom.includes(column.name))?.tableTo;
      return {
        name: column.name,
        type: column.type,
        nullable: !column.notNull,
        managedBy: "client",
        references: target === undefined ? null : { table: names.get(target) ?? target },
        mask: null,
      };
    });
    const primaryKey = Object.values(table.columns).find((column) => column.primaryKey)?.name ?? "";
    return [{ name, primaryKey, columns, actions: [], transitions: {}, hasRoutes: false }];
  });
}

/** Transition of a state machine. `by` lists the actions that make it; empty if a plain write does. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly by: readonly string[];
}

export function movesOf({ transitions, actions }: Resource, field: string): readonly Move[] {
  return Object.entries(transitions[field] ?? {}).flatMap(([from, targets]) =>
    targets.map((to) => ({
      from,
      to,
      by: actions.filter(({ transition }) =>
        transition?.field === field && (transition.fromTo[from] ?? []).includes(to)
      ).map(({ name }) => name),
    }))
  );
}
