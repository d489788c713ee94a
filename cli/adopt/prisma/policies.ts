/**
 * Reads access policies of ZenStack: `@@allow` and `@@deny`, with `auth()`, paths over relations, collections and `check()`.
 */
import type { Comparison, Condition, Literal } from "../conditions.ts";
import type { Operation, Policy } from "../foreign_schema.ts";
import type { Clause } from "../ledger.ts";
import { argumentsOf, type Block, textIn } from "./blocks.ts";
import { type Models, sideOf } from "./relations.ts";

const OPERATIONS: readonly Operation[] = ["read", "create", "update", "delete"];

/** Returns one policy for each operation, because `check()` depends on the operation. */
export function policiesOf(
  model: Block,
  models: Models,
  tableName: (model: Block) => string,
  open: (place: string) => Clause,
): readonly Policy[] {
  return model.attributes.flatMap(({ name, args }) => {
    if (name !== "allow" && name !== "deny") return [];
    const [operations, condition = "true"] = argumentsOf(args);
    const clause = open(`${name} ${textIn(operations ?? "") ?? ""}`);
    return operationsIn(operations).map((operation) => ({
      clause,
      name: `${name} ${operation}`,
      operations: [operation],
      isAllowing: name === "allow",
      condition: bindingOf(
        name,
        new Reader(condition, { model, operation, models, tableName, asked: [] }),
      ),
    }));
  });
}

function operationsIn(written: string | undefined): readonly Operation[] {
  const words = (textIn(written ?? "") ?? "").split(",").map((word) => word.trim());
  return OPERATIONS.filter((operation) =>
    words.includes(operation) || words.includes("all") ||
    (operation === "update" && words.includes("post-update"))
  );
}

/** Returns the condition that must be true: the negation of a `@@deny` condition. */
function bindingOf(name: string, reader: Reader): Condition | null {
  const condition = reader.condition();
  if (condition === null || name === "allow") return condition;
  return { kind: "not", of: condition };
}

interface Asked {
  readonly model: Block;
  readonly operation: Operation;
  readonly models: Models;
  readonly tableName: (model: Block) => string;
  /** Models whose `check()` is being read. */
  readonly asked: readonly string[];
}

/** Meaning of an operand: the caller, a literal, or a column at the end of a path of relations. */
type Operand =
  | { readonly kind: "caller" }
  | { readonly kind: "literal"; readonly value: Literal }
  | { readonly kind: "column"; readonly name: string; readonly way: Way }
  /** Whole condition that is not a comparison. */
  | { readonly kind: "condition"; readonly of: Condition };

/** Converts a condition on the model at the end of a path to a condition on the model at its start. */
type Way = (of: Condition) => Condition;

class Reader {
  readonly #tokens: readonly string[];
  readonly #asked: Asked;
  #at = 0;

  constructor(text: string, asked: Asked) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#asked = asked;
  }

  /** Reads a condition; null: it cannot be expressed here. */
  condition(): Condition | null {
    const read = this.#any(this.#asked.model);
    return this.#at === this.#tokens.length ? read : null;
  }

  #any(model: Block): Condition | null {
    return this.#joined("||", "any", () => this.#joined("&&", "all", () => this.#one(model)));
  }

  #joined(sign: string, kind: "any" | "all", part: () => Condition | null): Condition | null {
    const parts = [part()];
    while (this.#accept(sign)) parts.push(part());
    const known = parts.filter((one) => one !== null);
    const [only, ...others] = known;
    if (!only || known.length < parts.length) return null;
    return others.length === 0 ? only : { kind, of: known };
  }

  #one(model: Block): Condition | null {
    if (this.#accept("!")) {
      const of = this.#one(model);
      return of && { kind: "not", of };
    }
    if (this.#accept("(")) {
      const of = this.#any(model);
      return this.#accept(")") ? of : null;
    }
    const left = this.#operand(model);
    if (left?.kind === "condition") return left.of;
    const by = COMPARISONS.get(this.#tokens[this.#at] ?? "");
    if (by === undefined) {
      return left?.kind === "column" ? compared(left, "equals", true) : said(left);
    }
    this.#at++;
    const right = this.#operand(model);
    return left && right ? comparison(left, by, right) : null;
  }

  #operand(model: Block): Operand | null {
    const token = this.#tokens[this.#at++];
    if (token === undefined) return null;
    const text = textIn(token);
    if (text !== null) return { kind: "literal", value: text };
    if (/^-?\d/.test(token)) return { kind: "literal", value: Number(token) };
    if (token === "true" || token === "false") return { kind: "literal", value: token === "true" };
    if (token === "null") return { kind: "literal", value: null };
    if (token === "auth") return this.#caller();
    if (token === "check") return this.#check(model);
    if (token === "this") return this.#accept(".") ? this.#operand(model) : null;
    return /^\w+$/.test(token) && this.#tokens[this.#at] !== "("
      ? this.#path(token, model, (of) => of)
      : null;
  }

  /** Reads `auth()` and `auth().id`; other facts about the caller are unknown here. */
  #caller(): Operand | null {
    if (!this.#accept("(") || !this.#accept(")")) return null;
    if (!this.#accept(".")) return { kind: "caller" };
    return this.#accept("id") ? { kind: "caller" } : null;
  }

  #path(name: string, model: Block, way: Way): Operand | null {
    const field = model.fields.find((one) => one.name === name);
    // An enum's value is written without quotes.
    if (!field) return { kind: "literal", value: name };
    const side = sideOf(field, model, this.#asked.models);
    if (!side) {
      const isRelation = this.#asked.models.has(field.type);
      return isRelation ? null : { kind: "column", name, way };
    }
    const table = this.#asked.tableName(side.model);
    const behind: Way = (of) => way({ kind: "exists", table, keys: side.keys, of });
    if (this.#accept(".")) return this.#path(this.#tokens[this.#at++] ?? "", side.model, behind);
    const quantifier = ["?", "!", "^"].find((sign) =>
      this.#tokens[this.#at] === sign && this.#tokens[this.#at + 1] === "["
    );
    if (quantifier !== undefined) return this.#collection(quantifier, side.model, { way, behind });
    // A compared relation stands for its key.
    const [key, ...others] = side.keys;
    return key && others.length === 0 && !field.isList
      ? { kind: "column", name: key.own, way }
      : null;
  }

  #collection(
    quantifier: string,
    model: Block,
    { behind }: { readonly way: Way; readonly behind: Way },
  ): Operand | null {
    this.#at += 2;
    const of = this.#any(model);
    if (of === null || !this.#accept("]")) return null;
    if (quantifier === "?") return { kind: "condition", of: behind(of) };
    const some = behind(quantifier === "^" ? of : { kind: "not", of });
    return { kind: "condition", of: { kind: "not", of: some } };
  }

  /** Reads `check(parent, 'read')`: the policies of the other model. */
  #check(model: Block): Operand | null {
    const { models, tableName, asked, operation: own } = this.#asked;
    if (!this.#accept("(")) return null;
    const field = model.fields.find(({ name }) => name === this.#tokens[this.#at]);
    this.#at++;
    const named = this.#accept(",") ? textIn(this.#tokens[this.#at++] ?? "") : own;
    const operation = OPERATIONS.find((one) => one === named);
    const side = field && sideOf(field, model, models);
    if (!this.#accept(")") || !side || !operation || asked.includes(side.model.name)) return null;
    const inner = { ...this.#asked, model: side.model, operation, asked: [...asked, model.name] };
    const of = allowedBy(inner);
    const { keys } = side;
    return of &&
      { kind: "condition", of: { kind: "exists", table: tableName(side.model), keys, of } };
  }

  #accept(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token;
    if (isNext) this.#at++;
    return isNext;
  }
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|\w+|==|!=|<=|>=|&&|\|\||[<>!?^.()[\],]|\S/g;

/** Returns the condition of all of the model's policies for the operation; null: one of them cannot be read. */
function allowedBy(asked: Asked): Condition | null {
  const read = (kind: string) =>
    asked.model.attributes.filter(({ name, args }) =>
      name === kind && operationsIn(argumentsOf(args)[0]).includes(asked.operation)
    ).map(({ args }) => new Reader(argumentsOf(args)[1] ?? "true", asked).condition());
  const [allowed, denied] = [read("allow"), read("deny")];
  const known = allowed.filter((one) => one !== null);
  const refused = denied.filter((one) => one !== null);
  if (known.length < allowed.length || refused.length < denied.length) return null;
  return {
    kind: "all",
    of: [{ kind: "any", of: known }, ...refused.map((of) => ({ kind: "not", of } as const))],
  };
}

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ["==", "equals"],
  ["!=", "notEquals"],
  ["<", "lessThan"],
  ["<=", "lessThanOrEqual"],
  [">", "greaterThan"],
  [">=", "greaterThanOrEqual"],
]);

function said(operand: Operand | null): Condition | null {
  if (operand?.kind !== "literal" || typeof operand.value !== "boolean") return null;
  return { kind: operand.value ? "always" : "never" };
}

function comparison(left: Operand, by: Comparison, right: Operand): Condition | null {
  const [column, other] = left.kind === "column" ? [left, right] : [right, left];
  if (column.kind === "caller" && other.kind === "literal" && other.value === null) {
    return { kind: by === "equals" ? "never" : "signedIn" };
  }
  if (column.kind === "literal" && other.kind === "caller" && column.value === null) {
    return { kind: by === "equals" ? "never" : "signedIn" };
  }
  if (column.kind !== "column") return null;
  const turned = left.kind === "column" ? by : MIRRORED.get(by) ?? by;
  if (other.kind === "literal") return compared(column, turned, other.value);
  if (other.kind !== "caller" || (by !== "equals" && by !== "notEquals")) return null;
  return column.way({ kind: "compare", column: column.name, by, with: { kind: "userId" } });
}

const MIRRORED: ReadonlyMap<Comparison, Comparison> = new Map<Comparison, Comparison>([
  ["lessThan", "greaterThan"],
  ["greaterThan", "lessThan"],
  ["lessThanOrEqual", "greaterThanOrEqual"],
  ["greaterThanOrEqual", "lessThanOrEqual"],
]);

function compared(
  { name, way }: Extract<Operand, { readonly kind: "column" }>,
  by: Comparison,
  value: Literal,
): Condition {
  return way({ kind: "compare", column: name, by, with: { kind: "literal", value } });
}
