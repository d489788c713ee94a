/**
 * Finds the stored tables that a statement uses, and the conditions that bind the rows of each use. Names are resolved as in
 * SQLite: common table expressions hide tables, and a name with its schema is always the table.
 */
import type * as cst from "sql-parser-cst";
import { childrenOf } from "./parsed_sql.ts";

export interface TableUse {
  /** Name in the database, in lower case. */
  readonly table: string;
  /** Qualifier of its columns, the alias or the table, in lower case. */
  readonly qualifier: string;
  readonly role: "read" | "update" | "delete" | "insert" | "upsert";
  /** Conditions that are all true for every row that is used. */
  readonly conditions: readonly cst.Expr[];
  /** True when column names without a qualifier belong to this table. */
  readonly isAlone: boolean;
  readonly statement: cst.SelectStmt | cst.UpdateStmt | cst.DeleteStmt | cst.InsertStmt;
}

export interface Uses {
  readonly tables: readonly TableUse[];
  /** Table-valued functions, in lower case. */
  readonly functions: readonly string[];
  /** Names in the place of a table that are no known table. */
  readonly unknown: readonly string[];
}

export function tableUses(statement: cst.Statement): Uses {
  const found: Found = { tables: [], functions: [], unknown: [] };
  visit(statement, new Set(), found);
  return found;
}

interface Found {
  readonly tables: TableUse[];
  readonly functions: string[];
  readonly unknown: string[];
}

/** Names of visible common table expressions. */
type Names = ReadonlySet<string>;

function visit(node: cst.Node, outer: Names, found: Found): void {
  const names = new Set([...outer, ...ownNames(node)]);
  switch (node.type) {
    case "select_stmt":
      {
        const { clauses } = node;
        const from = clauses.find((clause) => clause.type === "from_clause");
        if (from !== undefined) {
          const sources = sourcesIn(from.expr, names, found);
          add(sources, { statement: node, role: "read", where: whereOf(clauses) }, found);
        }
      }
      break;
    case "update_stmt":
      visitChange(node, "update", names, found);
      break;
    case "delete_stmt":
      visitChange(node, "delete", names, found);
      break;
    case "insert_stmt":
      // A conflict that changes a row is a separate use: the row existed before.
      {
        const insert = node.clauses.find((clause) => clause.type === "insert_clause");
        if (insert !== undefined) {
          const targets = targetsIn(insert.table, found);
          add(targets, { statement: node, role: "insert", where: [] }, found);
          for (const clause of node.clauses) {
            if (clause.type !== "upsert_clause" || clause.action.type !== "upsert_action_update") {
              continue;
            }
            const { where } = clause.action;
            const conditions = where?.type === "where_clause" ? [where.expr] : [];
            // `excluded` is visible beside the table.
            add(
              targets,
              { statement: node, role: "upsert", where: conditions, isAlone: false },
              found,
            );
          }
        }
      }
      break;
    case "binary_expr":
      // `x IN customers` reads a table without a FROM, so no condition can bind its rows.
      {
        const words = [node.operator].flat().map((word) =>
          typeof word === "string" ? word : "text" in word ? word.text.toUpperCase() : ""
        );
        if (words.at(-1) === "IN") {
          const [source] = node.right.type === "paren_expr"
            ? []
            : sourcesIn(node.right, names, found);
          if (source !== undefined && source.table !== null) {
            found.unknown.push(`IN ${source.table}`);
          }
        }
      }
      break;
  }
  for (const child of childrenOf(node)) visit(child, names, found);
}

/**
 * Returns the names of a `WITH`. Before a compound select the parser puts it into the tree of the first part, but it applies to
 * all parts.
 */
function ownNames(node: cst.Node): readonly string[] {
  switch (node.type) {
    case "select_stmt":
    case "update_stmt":
    case "delete_stmt":
    case "insert_stmt":
      return node.clauses.flatMap((clause) =>
        clause.type === "with_clause"
          ? clause.tables.items.map(({ table }) => table.name.toLowerCase())
          : []
      );
    case "compound_select_stmt":
      return ownNames(node.left);
    default:
      return [];
  }
}

function visitChange(
  statement: cst.UpdateStmt | cst.DeleteStmt,
  role: "update" | "delete",
  names: Names,
  found: Found,
): void {
  const clauses: readonly cst.Node[] = statement.clauses;
  const change = clauses.find((clause) =>
    clause.type === "update_clause" || clause.type === "delete_clause"
  );
  const from = clauses.find((clause) => clause.type === "from_clause");
  const targets = (change?.tables.items ?? []).flatMap((one) => targetsIn(one, found));
  const joined = from === undefined ? [] : sourcesIn(from.expr, names, found);
  const where = whereOf(clauses);
  const isAlone = targets.length + joined.length === 1;
  add(targets, { statement, role, where, isAlone }, found);
  add(joined, { statement, role: "read", where, isAlone }, found);
}

interface Source {
  /** Table of the source; null: rows that were bound at their origin. */
  readonly table: string | null;
  readonly qualifier: string;
  readonly conditions: readonly cst.Expr[];
}

function add(
  sources: readonly Source[],
  { statement, role, where, isAlone = sources.length === 1 }: {
    readonly statement: TableUse["statement"];
    readonly role: TableUse["role"];
    readonly where: readonly cst.Expr[];
    readonly isAlone?: boolean;
  },
  found: Found,
): void {
  for (const { table, qualifier, conditions } of sources) {
    if (table === null) continue;
    const bound = [...conditions, ...where];
    found.tables.push({ table, qualifier, role, conditions: bound, isAlone, statement });
  }
}

function whereOf(clauses: readonly cst.Node[]): readonly cst.Expr[] {
  return clauses.flatMap((clause) => clause.type === "where_clause" ? [clause.expr] : []);
}

/** Returns the tables that are written. They are always stored tables: no other name can be written to. */
function targetsIn(node: cst.Node, found: Found): readonly Source[] {
  return sourcesIn(node, new Set(), found);
}

function sourcesIn(node: cst.Node, names: Names, found: Found): readonly Source[] {
  switch (node.type) {
    case "join_expr":
      return joined(node, names, found);
    case "alias":
      return sourcesIn(node.expr, names, found).map((source) => ({
        ...source,
        qualifier: node.alias.type === "identifier"
          ? node.alias.name.toLowerCase()
          : source.qualifier,
      }));
    case "paren_expr":
      return sourcesIn(node.expr, names, found);
    case "indexed_table":
    case "not_indexed_table":
      return sourcesIn(node.table, names, found);
    case "identifier": {
      const name = node.name.toLowerCase();
      return [{ table: names.has(name) ? null : name, qualifier: name, conditions: [] }];
    }
    case "member_expr": {
      const name = node.property.type === "identifier" ? node.property.name.toLowerCase() : "";
      return [{ table: name, qualifier: name, conditions: [] }];
    }
    // The sources of the subselect are visited as a separate statement.
    case "select_stmt":
    case "compound_select_stmt":
      return [{ table: null, qualifier: "", conditions: [] }];
    case "func_call":
      found.functions.push(node.name.type === "identifier" ? node.name.name.toLowerCase() : "");
      return [{ table: null, qualifier: "", conditions: [] }];
    default:
      found.unknown.push(node.type);
      return [];
  }
}

type JoinExpr = Extract<cst.Node, { readonly type: "join_expr" }>;

/**
 * Returns the sources of a join. The condition of an outer join binds the rows of its optional side only: the other rows are
 * returned in any case.
 */
function joined(join: JoinExpr, names: Names, found: Found): readonly Source[] {
  const left = sourcesIn(join.left, names, found);
  const right = sourcesIn(join.right, names, found);
  const { specification } = join;
  const on = specification?.type === "join_on_specification" ? [specification.expr] : [];
  const kind = joinKind(join);
  return [
    ...(kind === "inner" || kind === "right" ? left.map((one) => bound(one, on)) : left),
    ...(kind === "inner" || kind === "left" ? right.map((one) => bound(one, on)) : right),
  ];
}

function joinKind({ operator }: JoinExpr): "inner" | "left" | "right" | "full" {
  const words = (typeof operator === "string" ? [operator] : [operator].flat())
    .map((word) => typeof word === "string" ? word : word.text.toUpperCase());
  if (words.includes("FULL")) return "full";
  if (words.includes("LEFT")) return "left";
  return words.includes("RIGHT") ? "right" : "inner";
}

function bound(source: Source, conditions: readonly cst.Expr[]): Source {
  return { ...source, conditions: [...source.conditions, ...conditions] };
}
