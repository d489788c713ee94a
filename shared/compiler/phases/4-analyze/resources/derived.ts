/** Resolves computed columns and rollups when every table is known: their types, expressions and sources (definitions 3). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { DECIMAL_PRECISION_MAX } from "../../../../contract/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { columnsIn, type ColumnType, type RollupModel } from "../../../../model/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Report } from "../../../diagnostics/report.ts";
import { invalidValue } from "../read/reader.ts";
import type { ColumnDraft, DerivedDraft, TableDraft } from "../tables/draft.ts";
import { tableMeant } from "../tables/analysis.ts";
import { readExpression } from "../tables/read_expression.ts";
import { columnOperand, declared } from "../tables/typed_expression.ts";
import { ExpressionMistake, type Kind, type Typed } from "../tables/typed.ts";
import { readConditions } from "../tables/conditions.ts";

/** Limit of the depth of rollups over rollups. */
const ROLLUP_DEPTH_MAX = 3;

/** Returns the same tables with their computed columns and rollups resolved. */
export function withDerived(
  tables: readonly TableDraft[],
  report: Report,
): readonly TableDraft[] {
  const settling = new Settling(tables, report);
  return tables.map((table) => {
    const columns = [...table.columns.values()];
    if (columns.every(({ derived }) => derived === null)) return table;
    return {
      ...table,
      columns: new Map(columns.map((column) => [column.name, settling.column(table, column)])),
    };
  });
}

class Settling {
  /** Resolved columns by table and column; null while one is being resolved. */
  readonly #settled = new Map<string, ColumnDraft | null>();
  readonly #depths = new Map<string, number>();
  /** Bounds of computed values, which are narrower than those of their types. */
  readonly #kinds = new Map<string, Kind>();

  constructor(readonly tables: readonly TableDraft[], readonly report: Report) {}

  column(table: TableDraft, column: ColumnDraft): ColumnDraft {
    const { derived } = column;
    if (derived === null || column.type === null) return column;
    const key = keyOf(table, column);
    const known = this.#settled.get(key);
    if (known) return known;
    if (known === null) {
      this.report.add("COMPUTED_CIRCLE", derived.place, { column: column.name });
      return broken(column);
    }
    this.#settled.set(key, null);
    const settled = derived.kind === "computed"
      ? this.#computed(table, column, derived)
      : this.#rollup(table, column, derived);
    this.#settled.set(key, settled);
    return settled;
  }

  #computed(
    table: TableDraft,
    column: ColumnDraft,
    { text, place }: Extract<DerivedDraft, { readonly kind: "computed" }>,
  ): ColumnDraft {
    let isBroken = false;
    const find = (name: string): Typed => {
      const source = table.columns.get(name);
      if (!source) {
        throw new ExpressionMistake(
          "construct",
          `knows no column ${JSON.stringify(name)}`,
          didYouMean(name, table),
        );
      }
      const settled = this.column(table, source);
      if (settled.type === null) isBroken = true;
      const declaredAs = settled.type && columnOperand(name, settled.type);
      const known = this.#kinds.get(keyOf(table, source));
      const operand = declaredAs && known ? { ...declaredAs, kind: known } : declaredAs;
      if (operand) return operand;
      throw new ExpressionMistake(
        "type",
        `cannot use ${JSON.stringify(name)}${settled.type ? ` of type ${settled.type.kind}` : ""}`,
      );
    };
    const reading = readExpression(text, find);
    if (reading.kind === "mistake") {
      const { mistake, line, column: at, length } = reading.mistake;
      if (!isBroken) {
        this.#reportMistake(column, mistake, {
          ...place,
          line: place.line + line - 1,
          column: line === 1 ? place.column + at : at + 1,
          length,
        });
      }
      return broken(column);
    }
    const { type } = column;
    if (type === null) return column;
    try {
      const fitting = declared(reading.operand, type);
      const { expression } = fitting;
      this.#kinds.set(keyOf(table, column), fitting.kind);
      const sources = columnsIn(expression).map((name) => table.columns.get(name));
      const isNullable = reading.isNullable ||
        sources.some((source) => source && mayBeNull(this.column(table, source)));
      return { ...column, computed: expression, required: !isNullable };
    } catch (error) {
      if (!(error instanceof ExpressionMistake)) throw error;
      this.#reportMistake(column, error, place);
      return broken(column);
    }
  }

  #reportMistake(
    { name: column }: ColumnDraft,
    { fault: kind, message: fault, hint: way }: ExpressionMistake,
    place: Place,
  ): void {
    const details = { column, fault, way };
    if (kind === "overflow") this.report.add("COMPUTED_OVERFLOW", place, details);
    else if (kind === "division") this.report.add("COMPUTED_DIVISION", place, details);
    else if (kind === "type") this.report.add("COMPUTED_TYPE", place, details);
    else this.report.add("COMPUTED_EXPRESSION", place, details);
  }

  #rollup(
    table: TableDraft,
    column: ColumnDraft,
    derived: Extract<DerivedDraft, { readonly kind: "rollup" }>,
  ): ColumnDraft {
    const { fn, where, place } = derived;
    const refuse = (fault: string, way: string | null = null, at: Place = place) => {
      this.report.add("ROLLUP_INVALID", at, { column: column.name, fault, way });
      return broken(column);
    };
    const counted = this.#countedRows(table, derived);
    if ("fault" in counted) return refuse(counted.fault, counted.way, derived.children.place);
    const { child, childName, keyName } = counted;
    const model: Omit<RollupModel, "column" | "where"> = {
      table: childName,
      foreignKey: keyName,
      fn,
    };
    const source = derived.column ? child.columns.get(derived.column.text) : undefined;
    if (derived.column && !source) {
      const { text, place } = derived.column;
      return refuse(
        `table ${JSON.stringify(childName)} has no column ${JSON.stringify(text)}`,
        didYouMean(text, child),
        place,
      );
    }
    const settled = source ? this.column(child, source) : null;
    if (settled !== null && settled.type === null) return broken(column);
    const depth = 1 + (settled?.derived ? this.#depthOf(child, settled) : 0);
    this.#depths.set(keyOf(table, column), depth);
    if (depth > ROLLUP_DEPTH_MAX) {
      return refuse(`it looks through more than ${ROLLUP_DEPTH_MAX} rollups`);
    }
    const type = rollupType(fn, settled?.type ?? null);
    if (type === null) {
      return refuse(
        `${fn} is not for ${JSON.stringify(settled?.name)} of type ${settled?.type?.kind}`,
        "Name a whole number or a decimal; min and max also take days and instants",
        derived.column?.place,
      );
    }
    const at = { path: `${table.name}.${column.name}.where`, report: this.report };
    const settledChild = { ...child, columns: this.#columnsOf(child, where !== null) };
    const conditions = where === null ? [] : readConditions(where, settledChild, at);
    if (!conditions) return broken(column);
    const bound = conditions.find(({ operand }) =>
      operand.kind === "context" || operand.kind === "contextList"
    );
    if (where !== null && bound) {
      invalidValue(where, "literals alone: the total is everybody's", at);
      return broken(column);
    }
    const isEmptyNull = fn === "min" || fn === "max";
    return {
      ...column,
      type,
      required: !isEmptyNull,
      rollup: { ...model, column: settled?.name ?? null, where: conditions },
    };
  }

  /** Finds the rows that a rollup counts: their table, and its foreign key. */
  #countedRows(
    table: TableDraft,
    { children }: Extract<DerivedDraft, { readonly kind: "rollup" }>,
  ):
    | { readonly child: TableDraft; readonly childName: string; readonly keyName: string }
    | { readonly fault: string; readonly way: string | null } {
    const [written = "", keyName = ""] = children.text.split(".");
    const child = tableMeant({ text: written, place: children.place }, this);
    const childName = child?.name ?? written;
    const key = child?.columns.get(keyName);
    if (!child) {
      const meant = nearest(childName, this.tables.map(({ name }) => name));
      return {
        fault: `there is no table ${JSON.stringify(childName)}`,
        way: meant === null ? null : `Did you mean ${JSON.stringify(meant)}?`,
      };
    }
    if (!key) {
      return {
        fault: `table ${JSON.stringify(childName)} has no column ${JSON.stringify(keyName)}`,
        way: didYouMean(keyName, child),
      };
    }
    if (!pointsTo(key, child, table)) {
      const text = JSON.stringify(children.text);
      return { fault: `${text} is no foreign key to ${JSON.stringify(table.name)}`, way: null };
    }
    return { child, childName, keyName };
  }

  /** Returns the columns of a condition's table with the computed ones resolved, because a condition may name them. */
  #columnsOf(table: TableDraft, isNeeded: boolean): TableDraft["columns"] {
    if (!isNeeded) return table.columns;
    return new Map([...table.columns.values()].map((one) => {
      const isOpen = one.derived !== null && this.#settled.get(keyOf(table, one)) === null;
      return [one.name, isOpen ? broken(one) : this.column(table, one)];
    }));
  }

  #depthOf(table: TableDraft, column: ColumnDraft): number {
    const own = this.#depths.get(keyOf(table, column));
    if (own !== undefined) return own;
    const sources = column.computed ? columnsIn(column.computed) : [];
    return Math.max(
      0,
      ...sources.map((name) => {
        const source = table.columns.get(name);
        return source?.derived ? this.#depthOf(table, source) : 0;
      }),
    );
  }
}

function keyOf({ name }: TableDraft, column: ColumnDraft): string {
  return `${name}.${column.name}`;
}

/** Returns a column that was reported, so that it causes no further reports. */
function broken(column: ColumnDraft): ColumnDraft {
  return { ...column, type: null };
}

/** True for a column that may be null. Keys, scopes and revisions never are. */
function mayBeNull({ manager, required }: ColumnDraft): boolean {
  return ["client", "system", "computed"].includes(manager) && !required;
}

function didYouMean(name: string, { columns }: TableDraft): string | null {
  const meant = nearest(name, columns.keys());
  return meant === null ? null : `Did you mean ${JSON.stringify(meant)}?`;
}

function pointsTo(
  { name, references }: ColumnDraft,
  child: TableDraft,
  parent: TableDraft,
): boolean {
  if (references?.target.kind === "binding") return references.target.binding.file === parent.file;
  if (references?.target.kind === "table") return references.target.name === parent.name;
  const named = child.options?.entries.get("references")?.value;
  const said = named?.kind === "object"
    ? named.entries.find(({ key }) => key === name)?.value
    : undefined;
  return said?.kind === "string" && said.value === parent.name;
}

/** Returns the type of a rollup; null if its source does not support the function. */
function rollupType(fn: RollupModel["fn"], source: ColumnType | null): ColumnType | null {
  if (fn === "count") return { kind: "int" };
  if (source === null || rulesOf(source).isAsked) return null;
  if (fn === "sum") {
    if (source.kind === "int") return { kind: "int" };
    return source.kind === "decimal"
      ? { kind: "decimal", precision: DECIMAL_PRECISION_MAX, scale: source.scale }
      : null;
  }
  switch (source.kind) {
    case "int":
    case "real":
    case "date":
    case "timestamp":
      return { kind: source.kind };
    case "decimal":
      return { kind: "decimal", precision: source.precision, scale: source.scale };
    default:
      return null;
  }
}
