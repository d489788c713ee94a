/** Schema that statements create, one after the other, with a clause of the ledger for each of their parts. */
import type { Ledger } from "../ledger.ts";
import type { Operation } from "../foreign_schema.ts";
import type { ColumnItem } from "./items.ts";
import * as items from "./add_items.ts";
import * as open from "./open_tables.ts";
import type { Alteration } from "./read_alter.ts";
import { type Statement, UNREADABLE } from "./read_statement.ts";
import { sqlText } from "./cursor.ts";

type Of<Kind extends Statement["kind"]> = Extract<Statement, { readonly kind: Kind }>;

export class SqlSchema implements items.SchemaParts {
  /** Tables by path in lower case. */
  readonly tables = new Map<string, open.OpenTable>();
  /** Enums by name in lower case. */
  readonly enums = new Map<string, readonly string[]>();
  readonly domains = new Map<string, ColumnItem>();
  /** First numbers by the sequence's name. */
  readonly sequences = new Map<string, number>();
  readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  apply(statement: Statement, place: string): void {
    switch (statement.kind) {
      case "table":
        return this.#createTable(statement);
      case "leftTable":
        return this.#leave("table", statement.path.join("."), statement.reason);
      case "alter":
        return this.#alter(statement, place);
      case "index":
        return this.#createIndex(statement, place);
      case "enum":
        for (const value of statement.values) {
          this.ledger.carry(this.ledger.open("value", `${statement.name}.${value}`));
        }
        return void this.enums.set(statement.name.toLowerCase(), statement.values);
      case "domain":
        this.domains.set(statement.name.toLowerCase(), statement.column);
        return this.#carry("statement", place);
      case "enumValue":
        return this.#changeEnum(statement, place);
      case "drop":
        return this.#drop(statement, place);
      case "rename":
        return this.#rename(statement.from, statement.to, place);
      case "sequence":
        this.sequences.set(statement.name.toLowerCase(), statement.start);
        return this.#leave(
          "sequence",
          statement.name,
          "a column that counts by it counts by itself",
        );
      case "comment":
        return this.#comment(statement, place);
      case "policy":
        return this.#createPolicy(statement, place);
      case "view":
        return this.#leave("view", statement.name, "views of a table stand under its `read`");
      case "other":
        return this.#leave("statement", place, statement.reason);
    }
  }

  #carry(kind: "statement" | "alter", place: string): void {
    this.ledger.carry(this.ledger.open(kind, place));
  }

  #leave(
    kind: "table" | "sequence" | "view" | "statement" | "alter" | "comment",
    place: string,
    reason: string,
  ): void {
    this.ledger.leaveOut(this.ledger.open(kind, place), reason);
  }

  #createTable({ path, items: parts, parents }: Of<"table">): void {
    const key = open.keyOfPath(path);
    const before = this.tables.get(key);
    if (before) {
      // CREATE TABLE IF NOT EXISTS for an existing table changes nothing.
      return this.#leave("table", path.join("."), "a table of that name is there already");
    }
    const table: open.OpenTable = {
      clause: this.ledger.open("table", path.join(".")),
      path,
      columns: [],
      key: null,
      unique: [],
      indexes: [],
      relations: [],
      checks: [],
      policies: [],
      comment: null,
    };
    this.tables.set(key, table);
    for (const parent of parents) {
      items.copyColumns(this, table, parent);
      if (parts.length === 0) items.copyKeys(this, table, parent);
    }
    for (const item of parts) {
      if (item?.kind === "like") items.copyColumns(this, table, item.table);
      else if (item !== null) items.add(this, table, item);
      else this.#leave("statement", `a part of ${path.join(".")}`, UNREADABLE);
    }
  }

  #createIndex(
    { name, table: called, isUnique, columns, obstacle, where }: Of<"index">,
    place: string,
  ): void {
    const table = open.findTable(this.tables, called);
    const kind = isUnique ? "unique" : "index";
    const clause = this.ledger.open(kind, table ? items.placeOf(table, columns.join(", ")) : place);
    if (!table) return this.ledger.leaveOut(clause, items.NO_TABLE);
    // In quickback too, uniqueness applies to living rows.
    const isLive = where !== null && /^\(* *"?deleted_?at"? +is +null *\)*$/i.test(sqlText(where));
    const list = isUnique ? table.unique : table.indexes;
    const condition = where === null || isLive ? null : "it is under a condition";
    list.push({ clause, name, columns, obstacle: obstacle ?? condition });
  }

  #changeEnum({ name, value, instead }: Of<"enumValue">, place: string): void {
    const values = this.enums.get(name.toLowerCase());
    if (!values) return this.#leave("alter", place, "its type is not in the file");
    this.#carry("alter", place);
    if (instead !== null) {
      this.enums.set(name.toLowerCase(), values.map((one) => one === instead ? value : one));
      return;
    }
    if (values.includes(value)) return;
    this.ledger.carry(this.ledger.open("value", `${name}.${value}`));
    this.enums.set(name.toLowerCase(), [...values, value]);
  }

  #drop({ what, names, on }: Of<"drop">, place: string): void {
    const clause = this.ledger.open("alter", place);
    this.ledger.carry(clause);
    for (const name of names) {
      if (what === "table") {
        const table = open.findTable(this.tables, name);
        if (table) this.#forget(table);
      }
      const named = on === null ? undefined : open.findTable(this.tables, on);
      for (const table of on === null ? this.tables.values() : named ? [named] : []) {
        if (what === "index") this.#dropConstraint(table, name.split(".").at(-1) ?? "");
        if (what === "policy") {
          table.policies = table.policies.filter((one) => {
            if (one.name === name) open.leaveDropped(one.clause, this.ledger);
            return one.name !== name;
          });
        }
      }
    }
  }

  #forget(table: open.OpenTable): void {
    for (const clause of open.clausesOfOpen(table)) open.leaveDropped(clause, this.ledger);
    this.tables.delete(open.keyOfPath(table.path));
    for (const other of this.tables.values()) {
      other.relations = other.relations.filter(({ clause, references }) => {
        const isGone = open.keyOfPath(references.table.split(".")) === open.keyOfPath(table.path);
        if (isGone) open.leaveDropped(clause, this.ledger);
        return !isGone;
      });
    }
  }

  /** Drops a constraint by its name, or by the name that PostgreSQL gives to one without a name. */
  #dropConstraint(table: open.OpenTable, name: string): void {
    const last = table.path.at(-1) ?? "";
    const isIt = (
      one: { readonly name: string | null; readonly columns?: readonly string[] },
      suffix: string,
    ) => {
      const isNamed = (one.name ?? [last, ...(one.columns ?? []), suffix].join("_")) === name;
      if (isNamed && "clause" in one) return true;
      return isNamed;
    };
    const keep = <One extends open.OpenKeyed | open.OpenRelation>(
      list: One[],
      suffix: string,
    ): One[] =>
      list.filter((one) => {
        if (!isIt(one, suffix)) return true;
        open.leaveDropped(one.clause, this.ledger);
        return false;
      });
    table.unique = keep(table.unique, "key");
    table.indexes = keep(table.indexes, "idx");
    table.relations = keep(table.relations, "fkey");
    table.checks = table.checks.filter((check) => {
      const isNamed = check.name === name;
      if (isNamed) open.leaveDropped(check.clause, this.ledger);
      return !isNamed;
    });
    if (table.key && (table.key.name ?? `${last}_pkey`) === name) this.#dropKey(table);
  }

  #dropKey(table: open.OpenTable): void {
    if (table.key) open.leaveDropped(table.key.clause, this.ledger);
    table.key = null;
  }

  #rename(from: string, to: string, place: string): void {
    const table = open.findTable(this.tables, from);
    if (!table) return this.#leave("alter", place, items.NO_TABLE);
    this.#carry("alter", place);
    this.tables.delete(open.keyOfPath(table.path));
    for (const other of this.tables.values()) this.#follow(other, table, to);
    this.#follow(table, table, to);
    table.path = [...table.path.slice(0, -1), to.split(".").at(-1) ?? to];
    this.tables.set(open.keyOfPath(table.path), table);
  }

  /** Makes relations to a renamed table refer to its new name. */
  #follow(other: open.OpenTable, table: open.OpenTable, to: string): void {
    const before = open.keyOfPath(table.path);
    const path = [...table.path.slice(0, -1), to.split(".").at(-1) ?? to];
    other.relations = other.relations.map((relation) =>
      open.keyOfPath(relation.references.table.split(".")) === before
        ? { ...relation, references: { ...relation.references, table: path.join(".") } }
        : relation
    );
  }

  #comment({ table: called, column: name, text }: Of<"comment">, place: string): void {
    const table = open.findTable(this.tables, called);
    const column = table && name !== null ? open.findColumn(table, name) : undefined;
    const target = name === null ? table : column;
    const clause = this.ledger.open("comment", table ? items.placeOf(table, name ?? "") : place);
    if (!target) return this.ledger.leaveOut(clause, items.NO_TABLE);
    if (target.comment) open.leaveDropped(target.comment.clause, this.ledger);
    if (text === "") return this.ledger.leaveOut(clause, "it takes a comment away");
    target.comment = { clause, text };
  }

  #createPolicy(
    { name, table: called, isAllowing, command, using, check }: Of<"policy">,
    place: string,
  ): void {
    const table = open.findTable(this.tables, called);
    const clause = this.ledger.open("policy", table ? items.placeOf(table, name) : place);
    if (!table) return this.ledger.leaveOut(clause, items.NO_TABLE);
    const operations = OPERATIONS.get(command) ?? [];
    const tokens = [using, check].filter((one) => one !== null);
    table.policies.push({ clause, name, operations, isAllowing, tokens });
  }

  #alter({ table: called, does }: Of<"alter">, place: string): void {
    const table = open.findTable(this.tables, called);
    for (const alteration of does) {
      const clause = this.ledger.open(
        "alter",
        table ? `${table.path.join(".")} (${place})` : place,
      );
      if (!table) this.ledger.leaveOut(clause, items.NO_TABLE);
      else if (alteration.kind === "other") this.ledger.leaveOut(clause, alteration.reason);
      else if (this.#change(table, alteration, place)) this.ledger.carry(clause);
      else this.ledger.leaveOut(clause, "its column is not there");
    }
  }

  /** Applies a change; false: its target does not exist. */
  #change(
    table: open.OpenTable,
    does: Exclude<Alteration, { readonly kind: "other" }>,
    place: string,
  ): boolean {
    const column = "name" in does ? open.findColumn(table, does.name) : undefined;
    switch (does.kind) {
      case "add":
        if (does.item.kind === "column" && open.findColumn(table, does.item.name)) return true;
        items.add(this, table, does.item);
        return true;
      case "dropColumn":
        open.dropColumn(table, does.name, this.ledger);
        return true;
      case "dropConstraint":
        this.#dropConstraint(table, does.name);
        return true;
      case "dropKey":
        this.#dropKey(table);
        return true;
      case "renameColumn":
        open.renameColumn(table, does.from, does.to);
        return true;
      case "renameTable":
        this.#rename(table.path.join("."), does.to, place);
        return true;
      case "partition":
        return this.#joinPartition(does.table);
      case "closed":
        return true;
      case "redefine": {
        if (!column) return false;
        open.renameColumn(table, does.name, does.column.name);
        const at = table.columns.indexOf(column);
        for (
          const part of [column, column.length, column.fallback, column.generated, column.comment]
        ) {
          if (part) open.leaveDropped(part.clause, this.ledger);
        }
        table.columns = table.columns.filter((one) => one !== column);
        items.addColumn(this, table, does.column);
        const [anew] = table.columns.splice(-1);
        if (anew) table.columns.splice(at, 0, anew);
        return true;
      }
      case "required":
        if (column) column.isRequired = does.isRequired;
        return column !== undefined;
      case "counted":
        if (column) column.isCounted = true;
        return column !== undefined;
      case "type":
        if (column) items.retype(this, table, column, does.type);
        return column !== undefined;
      case "default":
        if (!column) return false;
        if (column.fallback) open.leaveDropped(column.fallback.clause, this.ledger);
        column.fallback = does.fallback === null || items.isNullDefault(does.fallback) ? null : {
          clause: this.ledger.open("default", items.placeOf(table, column.name)),
          tokens: does.fallback,
        };
        return true;
    }
  }

  #joinPartition(called: string): boolean {
    const part = open.findTable(this.tables, called);
    if (!part) return true;
    for (const clause of open.clausesOfOpen(part)) {
      this.ledger.leaveOut(clause, "its rows are part of another table");
    }
    this.tables.delete(open.keyOfPath(part.path));
    return true;
  }
}

const OPERATIONS: ReadonlyMap<string, readonly Operation[]> = new Map<string, readonly Operation[]>(
  [
    ["all", ["read", "create", "update", "delete"]],
    ["select", ["read"]],
    ["insert", ["create"]],
    ["update", ["update"]],
    ["delete", ["delete"]],
  ],
);
