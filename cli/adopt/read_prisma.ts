/** Reads tables from a Prisma schema, in one file or several, with ZenStack's additions: models, enums and policies. */
import * as foreign from "./foreign_schema.ts";
import { type Clause, type ClauseKind, Ledger } from "./ledger.ts";
import type { Comparison, Condition } from "./conditions.ts";
import * as blocks from "./prisma/blocks.ts";
import { policiesOf } from "./prisma/policies.ts";
import {
  attributeOf,
  counterpartOf,
  keyColumns,
  type Models,
  relationName,
} from "./prisma/relations.ts";

/** Reads the text. Throws `DraftError` if it is not a Prisma schema, or has no model. */
export function readPrisma(text: string): foreign.ForeignSchema {
  const all = blocks.blocksOf(text);
  const models = all.filter(({ kind }) => kind === "model");
  if (models.length === 0) {
    throw new foreign.DraftError("It has no model: is it a Prisma schema?");
  }
  const ledger = new Ledger();
  const reader = new PrismaReader(all, ledger);
  for (const { kind, name, unread } of all) {
    if (kind === "view") {
      const reason = "views of a table stand under its `read`";
      ledger.leaveOut(ledger.open("view", name), reason);
    }
    for (const line of unread) {
      ledger.leaveOut(ledger.open("statement", `line ${line}`), "it cannot be read");
    }
  }
  return { tables: reader.tables(), ledger };
}

type Typed = Pick<foreign.ForeignColumn, "type" | "question">;

class PrismaReader {
  readonly #models: Models;
  readonly #all: readonly blocks.Block[];
  readonly #enums: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly #ledger: Ledger;

  constructor(all: readonly blocks.Block[], ledger: Ledger) {
    this.#ledger = ledger;
    this.#all = all;
    const models = all.filter(({ kind }) => kind === "model");
    this.#models = new Map(models.map((model) => [model.name, this.#whole(model)]));
    this.#enums = new Map(
      all.filter(({ kind }) => kind === "enum").map((block) => [block.name, this.#values(block)]),
    );
  }

  /** Returns the model with its inherited fields and attributes. */
  #whole(model: blocks.Block, taken: readonly string[] = []): blocks.Block {
    const bases = model.bases.flatMap((name) => {
      const base = this.#all.find((one) => one.name === name);
      return base && !taken.includes(name) ? [this.#whole(base, [...taken, name])] : [];
    });
    const own = new Set(model.fields.map(({ name }) => name));
    const inherited = bases.flatMap(({ fields }) => fields).filter(({ name }) => !own.has(name));
    return {
      ...model,
      fields: [...inherited, ...model.fields],
      attributes: [...bases.flatMap(({ attributes }) => attributes), ...model.attributes],
    };
  }

  /** Returns the names of an enum's values by the values that the database stores. */
  #values({ name, fields }: blocks.Block): ReadonlyMap<string, string> {
    return new Map(fields.map((field) => {
      const stored = blocks.textIn(blocks.argument(attributeOf(field, "map") ?? "", "name", true));
      const clause = this.#ledger.open("value", `${name}.${field.name}`);
      if (stored === null || stored === field.name) this.#ledger.carry(clause);
      else this.#ledger.change(clause, "it is called as it is stored");
      return [field.name, stored ?? field.name];
    }));
  }

  tables(): readonly foreign.ForeignTable[] {
    const models = [...this.#models.values()].filter((model) => {
      const isBase = this.#all.some(({ bases }) => bases.includes(model.name)) &&
        !model.attributes.some(({ name }) => name === "id") &&
        !model.fields.some((field) => attributeOf(field, "id") !== null);
      const isIgnored = attributeOf(model, "ignore") !== null;
      if (isIgnored) this.#leave("table", model.name, "Prisma ignores it, too");
      return !isIgnored && !isBase;
    });
    return [...models.map((model) => this.#table(model)), ...this.#joins(models)];
  }

  #leave(kind: ClauseKind, place: string, reason: string): void {
    this.#ledger.leaveOut(this.#ledger.open(kind, place), reason);
  }

  #table(model: blocks.Block): foreign.ForeignTable {
    const table = tableNameOf(model);
    const open = (kind: ClauseKind, place: string) => this.#ledger.open(kind, `${table}.${place}`);
    const keyed = (kind: "unique" | "index", names: readonly string[]) =>
      model.attributes.filter(({ name }) => names.includes(name)).map(({ name, args }) => {
        const columns = blocks.namesIn(blocks.argument(args, "fields", true));
        const obstacle = name === "fulltext" ? "`search` of the resource is for words" : null;
        return { clause: open(kind, columns.join(", ")), columns, obstacle };
      });
    const columns = model.fields.filter((field) => this.#isColumn(field, table));
    const alone = (name: string) =>
      columns.filter((field) => attributeOf(field, name) !== null).map((field) => field.name);
    const key = model.attributes.find(({ name }) => name === "id");
    const keys = key ? blocks.namesIn(blocks.argument(key.args, "fields", true)) : alone("id");
    return {
      clause: this.#ledger.open("table", table),
      name: table,
      key: keys.length === 0 ? null : { clause: open("key", keys.join(", ")), columns: keys },
      unique: [
        ...alone("unique").map((name) => (
          { clause: open("unique", name), columns: [name], obstacle: null }
        )),
        ...keyed("unique", ["unique"]),
      ],
      indexes: keyed("index", ["index", "fulltext"]),
      columns: columns.map((field) => this.#column(field, table)),
      relations: model.fields.flatMap((field) => this.#relation(field, table)),
      checks: columns.flatMap((field) =>
        checksOf(field).map((condition) => ({ clause: open("check", field.name), condition }))
      ),
      policies: policiesOf(model, this.#models, tableNameOf, (place) => open("policy", place)),
      comment: model.comment === ""
        ? null
        : { clause: this.#ledger.open("comment", table), text: model.comment },
    };
  }

  #isColumn(field: blocks.Field, table: string): boolean {
    const isRelation = this.#models.has(field.type) ||
      this.#all.some(({ kind, name }) => kind === "view" && name === field.type);
    const isIgnored = attributeOf(field, "ignore") !== null;
    if (isIgnored && !isRelation) {
      this.#leave("column", `${table}.${field.name}`, "Prisma ignores it, too");
    }
    return !isRelation && !isIgnored;
  }

  /** Reads a relation; the field beside the key names its target. */
  #relation(field: blocks.Field, table: string): readonly foreign.Relation[] {
    const target = this.#models.get(field.type);
    const columns = keyColumns(field);
    const args = attributeOf(field, "relation") ?? "";
    if (!target || columns.length === 0) return [];
    const rule = blocks.argument(args, "onDelete");
    const onDelete = ACTIONS.get(rule ?? "") ?? null;
    return [{
      clause: this.#ledger.open("relation", `${table}.${columns.join(", ")}`),
      columns,
      table: tableNameOf(target),
      targets: blocks.namesIn(blocks.argument(args, "references")),
      onDelete,
      question: rule !== null && onDelete === null ? `\`onDelete: ${rule}\` is no rule here` : null,
    }];
  }

  #column(field: blocks.Field, table: string): foreign.ForeignColumn {
    const place = `${table}.${field.name}`;
    const open = (kind: ClauseKind) => this.#ledger.open(kind, place);
    const clause = open("column");
    const { type, question } = this.#type(field);
    const native = field.attributes.find(({ name }) => /^db\.N?(Var)?Char$/.test(name));
    const max = Number(native?.args);
    const written = attributeOf(field, "default");
    return {
      clause,
      name: field.name,
      type,
      question,
      isRequired: !field.isOptional,
      length: native && max >= 1 ? { clause: open("length"), max } : null,
      fallback: written === null ? null : {
        clause: open("default"),
        value: this.#default(blocks.argument(written, "value", true) ?? "", field),
      },
      generated: null,
      comment: field.comment === "" ? null : { clause: open("comment"), text: field.comment },
    };
  }

  #type(field: blocks.Field): Typed {
    const one = this.#single(field);
    if (!field.isList) return one;
    if (one.type.kind === "json" || one.type.kind === "list" || one.question !== null) {
      return { type: foreign.JSON_TYPE, question: `a list of ${field.type} became JSON` };
    }
    return { type: { kind: "list", of: one.type, maxItems: 1000 }, question: null };
  }

  #single(field: blocks.Field): Typed {
    const values = this.#enums.get(field.type);
    if (values) return { type: { kind: "enum", values: [...values.values()] }, question: null };
    const isBlock = this.#all.some(({ kind, name }) => kind === "type" && name === field.type);
    if (isBlock) return { type: foreign.JSON_TYPE, question: "an object became JSON" };
    const native = field.attributes.find(({ name }) => name.startsWith("db."));
    if (field.type === "DateTime" && native?.name === "db.Date") {
      return { type: { kind: "date" }, question: null };
    }
    if (field.type === "DateTime" && /^db\.Time(tz)?$/.test(native?.name ?? "")) {
      return { type: foreign.TEXT, question: "a time of day became text" };
    }
    if (field.type === "Decimal") {
      const decimal = foreign.decimalOf(blocks.argumentsOf(native?.args ?? ""));
      if (decimal) return { type: decimal, question: null };
    }
    return TYPES.get(field.type) ??
      { type: foreign.TEXT, question: `type ${field.type} became text` };
  }

  #default(written: string, field: blocks.Field): foreign.ForeignDefault {
    const plain = written.replace(/\s+/g, "");
    if (/^now\(\)/.test(plain)) return { kind: "now" };
    if (/^autoincrement\(\)/.test(plain)) return { kind: "sequence", start: 1 };
    if (/^(uuid|cuid|nanoid|ulid)\(/.test(plain)) return { kind: "random" };
    if (/^dbgenerated\("\(?(gen_random_uuid|uuid_generate_v\d)\(\)/.test(plain)) {
      return { kind: "random" };
    }
    if (/^auth\(\)\.id$/.test(plain)) return { kind: "userId" };
    const stored = this.#enums.get(field.type)?.get(plain);
    const text = stored ?? blocks.textIn(written);
    if (text !== null) return { kind: "value", value: text };
    if (/^-?\d+(\.\d+)?$/.test(plain)) {
      return { kind: "value", value: field.type === "Decimal" ? plain : Number(plain) };
    }
    if (plain === "true" || plain === "false") return { kind: "value", value: plain === "true" };
    if (plain.startsWith("[")) {
      const items = blocks.argumentsOf(written.trim().replace(/^\[|\]$/g, "")).map((item) =>
        this.#default(item, field)
      );
      const values = items.flatMap((item) => item.kind === "value" ? [item.value] : []);
      if (values.length === items.length) return { kind: "value", value: values };
    }
    return { kind: "unknown", text: written };
  }

  /** Makes a table for each many-to-many relation, which Prisma writes as a pair of lists. */
  #joins(models: readonly blocks.Block[]): readonly foreign.ForeignTable[] {
    const done = new Set<blocks.Field>();
    return models.flatMap((model) =>
      model.fields.flatMap((field) => {
        const other = field.isList ? this.#models.get(field.type) : undefined;
        const back = other && counterpartOf(field, model, other);
        if (!other || !back?.isList || done.has(field) || done.has(back)) return [];
        done.add(field).add(back);
        return [this.#join(model, field, other)];
      })
    );
  }

  #join(model: blocks.Block, field: blocks.Field, other: blocks.Block): foreign.ForeignTable {
    const name = relationName(field) ?? `${model.name}_${other.name}`;
    const reason = "many to many is a table of pairs";
    const place = `${tableNameOf(model)}.${field.name}`;
    const open = (kind: ClauseKind): Clause => this.#ledger.open(kind, place);
    const relation = open("relation");
    this.#ledger.change(relation, reason);
    const isSelf = model.name === other.name;
    const sides = [
      { target: model, column: `${model.name}_id` },
      { target: other, column: isSelf ? `other_${other.name}_id` : `${other.name}_id` },
    ];
    return {
      clause: open("table"),
      name,
      key: null,
      columns: sides.map(({ column }) => ({
        clause: open("column"),
        name: column,
        type: foreign.TEXT,
        question: null,
        isRequired: true,
        length: null,
        fallback: null,
        generated: null,
        comment: null,
      })),
      unique: [{
        clause: open("unique"),
        columns: sides.map(({ column }) => column),
        obstacle: null,
      }],
      indexes: [],
      relations: sides.map(({ target, column }) => ({
        clause: open("relation"),
        columns: [column],
        table: tableNameOf(target),
        targets: null,
        onDelete: "cascade",
        question: null,
      })),
      checks: [],
      policies: [],
      comment: null,
    };
  }
}

function tableNameOf(model: blocks.Block): string {
  const mapped = attributeOf(model, "map");
  return blocks.textIn(blocks.argument(mapped ?? "", "name", true)) ?? model.name;
}

const ACTIONS: ReadonlyMap<string, foreign.OnDelete> = new Map<string, foreign.OnDelete>([
  ["Cascade", "cascade"],
  ["SetNull", "set null"],
  ["Restrict", "restrict"],
  ["NoAction", "no action"],
]);

function typed(type: foreign.DraftType, question: string | null = null): Typed {
  return { type, question };
}

const TYPES: ReadonlyMap<string, Typed> = new Map([
  ["String", typed(foreign.TEXT)],
  ["Int", typed({ kind: "int" })],
  ["BigInt", typed({ kind: "int" }, foreign.SAID.bigInt)],
  ["Float", typed({ kind: "real" })],
  ["Decimal", typed(foreign.TEXT, foreign.SAID.wideDecimal)],
  ["Boolean", typed({ kind: "bool" })],
  ["DateTime", typed({ kind: "timestamp" })],
  ["Json", typed(foreign.JSON_TYPE)],
  ["Bytes", typed(foreign.TEXT, foreign.SAID.bytes)],
]);

/** Reads bounds that ZenStack writes beside a field. */
function checksOf({ name: column, attributes }: blocks.Field): readonly (Condition | null)[] {
  return attributes.flatMap(({ name, args }): readonly (Condition | null)[] => {
    const numbers = blocks.argumentsOf(args).map(Number);
    const [first = NaN, second = NaN] = numbers;
    const bound = BOUNDS.get(name);
    if (bound !== undefined) {
      return [{ kind: "compare", column, by: bound, with: { kind: "literal", value: first } }];
    }
    if (name !== "length") return UNSAID.has(name) ? [null] : [];
    const least: Condition = { kind: "length", column, by: "greaterThanOrEqual", value: first };
    const most: Condition = { kind: "length", column, by: "lessThanOrEqual", value: second };
    const parts = [...(first > 0 ? [least] : []), ...(second > 0 ? [most] : [])];
    return parts.length === 0 ? [null] : [{ kind: "all", of: parts }];
  });
}

const BOUNDS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ["gt", "greaterThan"],
  ["gte", "greaterThanOrEqual"],
  ["lt", "lessThan"],
  ["lte", "lessThanOrEqual"],
]);

/** Attributes that a person must decide about. */
const UNSAID = new Set(["regex", "startsWith", "endsWith", "contains", "email", "url", "datetime"]);
