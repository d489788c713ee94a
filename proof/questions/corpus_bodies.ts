/** Bodies that a write takes, and bodies that it refuses (contract 4.1, 7.2). */
import type { JsonValue } from "../../shared/model/column.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";
import { clientIdRule } from "../../shared/surface/ids.ts";
import { tableOf } from "../../shared/surface/tables.ts";
import { writableColumns, type WriteVerb } from "../../shared/surface/writable.ts";
import type { HiddenColumn } from "../rows/hidden_columns.ts";
import { isUnique, plainValue } from "../rows/plain_values.ts";
import { rowId } from "../rows/row_id.ts";
import { twinValues } from "../rows/twin_values.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { hiddenIn, type Scene } from "./scene.ts";

export type Body = Readonly<Record<string, JsonValue>>;

/** Every field that the verb may write, as the seeded row of that number would have it. */
export function fullBody(
  verb: WriteVerb,
  resource: ResourceModel,
  { scene, at, which = 0 }: {
    readonly scene: Scene;
    readonly at: number;
    /** The database whose hidden values are sent. */
    readonly which?: 0 | 1;
  },
): Body {
  const { model, hidden } = scene;
  const table = tableOf(resource, model);
  const id = verb === "create" && clientIdRule(table) === "required"
    ? [[table.primaryKey, rowId(table, at)] as const]
    : [];
  const fields = writableColumns(verb, resource, table).map((column) => {
    const one = hidden.find((candidate) =>
      candidate.table.name === table.name && candidate.column.name === column.name
    );
    const twins = one === undefined || column.references ? null : twinValues(one, at);
    return [column.name, twins?.[which] ?? plainValue(column, { table, model, at })] as const;
  });
  return Object.fromEntries([...id, ...fields]);
}

/** The same without what is hidden: it stays different in both databases. */
export function harmlessBody(
  verb: WriteVerb,
  resource: ResourceModel,
  options: { readonly scene: Scene; readonly at: number },
): Body {
  const hidden = hiddenIn(options.scene, { name: resource.table }).map(({ column }) => column.name);
  const body = Object.entries(fullBody(verb, resource, options));
  return Object.fromEntries(body.filter(([name]) => !hidden.includes(name)));
}

/** Values that the row which is the same in both databases already has; null: nothing about the resource is unique. */
export function conflictingBody(
  verb: WriteVerb,
  resource: ResourceModel,
  { scene, at }: { readonly scene: Scene; readonly at: number },
): Body | null {
  const { model } = scene;
  const table = tableOf(resource, model);
  const unique = writableColumns(verb, resource, table).filter((column) => isUnique(column, table));
  if (unique.length === 0) return null;
  const taken = unique.map((column) =>
    [column.name, plainValue(column, { table, model, at: ROWS.known })] as const
  );
  return { ...fullBody(verb, resource, { scene, at }), ...Object.fromEntries(taken) };
}

/** Bodies that are refused before anything is written. */
export function faultyBodies(body: Body, hidden: readonly HiddenColumn[]): readonly unknown[] {
  const [first] = Object.keys(body);
  return [
    {},
    { ...body, createdAt: "2026-01-01T00:00:00.000Z" },
    { ...body, nobodyKnowsThis: 1 },
    ...(first === undefined ? [] : [{ ...body, [first]: [1] }]),
    ...hidden.map(({ column }) => ({ ...body, [column.name]: { not: ["a", "value"] } })),
  ];
}
