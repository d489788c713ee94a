/** Expressions by chance over rows by chance: what the database computes, what this process computes, and a naive reading of the text agree. */
import { assert, assertEquals } from "@std/assert";
import Database from "libsql";
import { columnsIn, type ColumnType } from "../../shared/model/mod.ts";
import { expressionSql, expressionValue } from "../../shared/surface/mod.ts";
import { readExpression } from "../../shared/compiler/phases/4-analyze/tables/read_expression.ts";
import { columnOperand } from "../../shared/compiler/phases/4-analyze/tables/typed_expression.ts";
import { ExpressionMistake } from "../../shared/compiler/phases/4-analyze/tables/typed.ts";
import { type Random, seededRandom } from "../support/random.ts";

const TYPES: Readonly<Record<string, ColumnType>> = {
  a: { kind: "int", min: -1000, max: 1000 },
  b: { kind: "int", min: 0, max: 9 },
  c: { kind: "decimal", precision: 6, scale: 2 },
  d: { kind: "decimal", precision: 4, scale: 4 },
  t: { kind: "text", maxLength: null, enum: null },
  u: { kind: "text", maxLength: null, enum: null },
  x: { kind: "bool" },
  y: { kind: "bool" },
  n: { kind: "date" },
};

/** A value of the naive reading: decimals as fractions of whole numbers. */
type Naive = { readonly over: bigint; readonly under: bigint } | string | boolean | null;

interface Made {
  readonly text: string;
  readonly naive: (row: Row) => Naive;
}

type Row = Readonly<Record<string, Naive>>;

const fraction = (over: bigint, under = 1n): Naive => ({ over, under });

function isNumber(value: Naive): value is Exclude<Naive, string | boolean | null> {
  return typeof value === "object" && value !== null;
}

/** Null in, null out. */
function strict(parts: readonly Made[], of: (...values: Exclude<Naive, null>[]) => Naive) {
  return (row: Row): Naive => {
    const values = parts.map(({ naive }) => naive(row));
    const known = values.filter((value) => value !== null);
    return known.length < values.length ? null : of(...known);
  };
}

function number(random: Random, depth: number): Made {
  if (depth === 0 || random.chance(25)) {
    if (random.chance(30)) {
      const digits = random.below(200);
      return random.chance(50)
        ? { text: String(digits), naive: () => fraction(BigInt(digits)) }
        : { text: (digits / 100).toFixed(2), naive: () => fraction(BigInt(digits), 100n) };
    }
    return column(random.pick(["a", "b", "c", "d"]));
  }
  const [one, other] = [number(random, depth - 1), number(random, depth - 1)];
  switch (random.below(8)) {
    case 0:
      return sum("+", one, other, (p, q, r, s) => fraction(p * s + r * q, q * s));
    case 1:
      return sum("-", one, other, (p, q, r, s) => fraction(p * s - r * q, q * s));
    case 2:
      return sum("*", one, other, (p, q, r, s) => fraction(p * r, q * s));
    case 3: {
      const scale = random.below(4);
      return {
        text: `round(${one.text} / ${other.text}, ${scale})`,
        naive: strict([one, other], (p, q) => {
          if (!isNumber(p) || !isNumber(q) || q.over === 0n) return null;
          return halfEven(p.over * q.under, p.under * q.over, scale);
        }),
      };
    }
    case 4: {
      const scale = random.below(3);
      return {
        text: `round(${one.text}, ${scale})`,
        naive: strict([one], (p) => isNumber(p) ? halfEven(p.over, p.under, scale) : null),
      };
    }
    case 5:
      return {
        text: `(${one.text} ?? ${other.text})`,
        naive: (row) => one.naive(row) ?? other.naive(row),
      };
    case 6:
      return choice(truth(random, depth - 1), one, other);
    default:
      return {
        text: `-(${one.text})`,
        naive: strict([one], (p) => isNumber(p) ? fraction(-p.over, p.under) : null),
      };
  }
}

function sum(
  sign: string,
  one: Made,
  other: Made,
  of: (p: bigint, q: bigint, r: bigint, s: bigint) => Naive,
): Made {
  return {
    text: `(${one.text} ${sign} ${other.text})`,
    naive: strict(
      [one, other],
      (p, q) => isNumber(p) && isNumber(q) ? of(p.over, p.under, q.over, q.under) : null,
    ),
  };
}

function choice(test: Made, one: Made, other: Made): Made {
  return {
    text: `(${test.text} ? ${one.text} : ${other.text})`,
    naive: (row) => {
      const chosen = test.naive(row);
      return chosen === null ? null : chosen === true ? one.naive(row) : other.naive(row);
    },
  };
}

function halfEven(over: bigint, under: bigint, scale: number): Naive {
  const unit = 10n ** BigInt(scale);
  const isNegative = (over < 0n) !== (under < 0n) && over !== 0n;
  const [p, q] = [(over < 0n ? -over : over) * unit, under < 0n ? -under : under];
  const down = p / q;
  const twice = 2n * (p - down * q);
  const up = twice > q || (twice === q && down % 2n === 1n) ? down + 1n : down;
  return fraction(isNegative ? -up : up, unit);
}

function truth(random: Random, depth: number): Made {
  if (depth === 0) return column(random.pick(["x", "y"]));
  const below = depth - 1;
  switch (random.below(6)) {
    case 0: {
      const [one, other] = [number(random, below), number(random, below)];
      const sign = random.pick(["<", "<=", ">", ">=", "===", "!=="]);
      return {
        text: `(${one.text} ${sign} ${other.text})`,
        naive: strict([one, other], (p, q) => {
          if (!isNumber(p) || !isNumber(q)) return null;
          return ordered(
            sign,
            p.over * q.under < q.over * p.under,
            p.over * q.under === q.over * p.under,
          );
        }),
      };
    }
    case 1: {
      const [one, other] = [words(random, below), words(random, below)];
      const sign = random.pick(["<", ">=", "==", "!="]);
      return {
        text: `(${one.text} ${sign} ${other.text})`,
        naive: strict([one, other], (p, q) => {
          const order = new TextEncoder().encode(String(p));
          const against = new TextEncoder().encode(String(q));
          return ordered(sign, isLess(order, against), String(p) === String(q));
        }),
      };
    }
    case 2: {
      const [one, other] = [truth(random, below), truth(random, below)];
      const isAnd = random.chance(50);
      return {
        text: `(${one.text} ${isAnd ? "&&" : "||"} ${other.text})`,
        naive: strict(
          [one, other],
          (p, q) => isAnd ? p === true && q === true : p === true || q === true,
        ),
      };
    }
    case 3: {
      const one = truth(random, below);
      return { text: `!(${one.text})`, naive: strict([one], (p) => p !== true) };
    }
    case 4: {
      const one = random.chance(50) ? number(random, below) : words(random, below);
      const isEqual = random.chance(50);
      return {
        text: `(${one.text} ${isEqual ? "==" : "!="} null)`,
        naive: (row) => (one.naive(row) === null) === isEqual,
      };
    }
    default:
      return column(random.pick(["x", "y"]));
  }
}

function isLess(one: Uint8Array, other: Uint8Array): boolean {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    if (one[at] !== other[at]) return (one[at] ?? 0) < (other[at] ?? 0);
  }
  return one.length < other.length;
}

function ordered(sign: string, less: boolean, equal: boolean): boolean {
  switch (sign) {
    case "<":
      return less;
    case "<=":
      return less || equal;
    case ">":
      return !less && !equal;
    case ">=":
      return !less;
    case "===":
    case "==":
      return equal;
    default:
      return !equal;
  }
}

function words(random: Random, depth: number): Made {
  if (depth === 0 || random.chance(40)) {
    if (random.chance(30)) {
      const literal = random.pick(["", "it's", "ä", "\u{1f600}"]);
      return { text: JSON.stringify(literal), naive: () => literal };
    }
    return column(random.pick(["t", "u"]));
  }
  const below = depth - 1;
  if (random.chance(30)) {
    const [one, other] = [words(random, below), words(random, below)];
    return {
      text: `(${one.text} + ${other.text})`,
      naive: strict([one, other], (p, q) => `${p}${q}`),
    };
  }
  if (random.chance(40)) {
    return choice(truth(random, below), words(random, below), words(random, below));
  }
  const part = random.chance(50) ? truth(random, 0) : column(random.pick(["a", "c", "n"]));
  const one = words(random, below);
  return {
    text: "`" + `\${${part.text}}-\${${one.text}}` + "`",
    naive: strict([part, one], (p, q) => `${isNumber(p) ? shown(p, part.text) : p}-${q}`),
  };
}

/** With all digits behind the point that the column has. */
function shown({ over, under }: { over: bigint; under: bigint }, column: string): string {
  const scale = column === "c" ? 2 : 0;
  const all = over * 10n ** BigInt(scale) / under;
  const digits = String(all < 0n ? -all : all).padStart(scale + 1, "0");
  const sign = all < 0n ? "-" : "";
  return scale === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function column(name: string): Made {
  return { text: name, naive: (row) => row[name] ?? null };
}

const ROWS = 12;

function rowOf(random: Random) {
  const maybe = <Value>(value: Value) => random.chance(20) ? null : value;
  const a = maybe(random.below(2001) - 1000);
  const b = maybe(random.below(10));
  const c = maybe(random.below(1_999_999) - 999_999);
  const d = maybe(random.below(19_999) - 9_999);
  const [t, u] = [
    maybe(random.pick(["", "a", "ä", "Z", "\u{1f600}"])),
    maybe(random.pick(["a", "\uffee"])),
  ];
  const [x, y] = [maybe(random.below(2)), maybe(random.below(2))];
  const n = maybe(`20${10 + random.below(90)}-0${1 + random.below(9)}-1${random.below(10)}`);
  const of = (value: number | null, under = 1n) =>
    value === null ? null : fraction(BigInt(value), under);
  return {
    stored: { a, b, c, d, t, u, x, y, n },
    naive: {
      a: of(a),
      b: of(b),
      c: of(c, 100n),
      d: of(d, 10_000n),
      t,
      u,
      x: x === null ? null : x === 1,
      y: y === null ? null : y === 1,
      n,
    } satisfies Row,
  };
}

const EXPRESSIONS = 700;

Deno.test("computed columns agree with a naive reading of their expressions", () => {
  let judged = 0;
  let overflows = 0;
  const database = new Database(":memory:");
  for (let seed = 1; seed <= EXPRESSIONS; seed += 1) {
    const random = seededRandom(seed);
    const made = random.pick([number, truth, words])(random, 1 + random.below(4));
    const names = Object.keys(TYPES).join(", ");
    const reading = readExpression(`({ ${names} }) => ${made.text}`, (name) => {
      const type = TYPES[name];
      const operand = type && columnOperand(name, type);
      if (!operand) throw new ExpressionMistake("construct", name);
      return operand;
    });
    if (reading.kind === "mistake") {
      const { fault, message } = reading.mistake.mistake;
      assertEquals(fault, "overflow", `${made.text}: ${message}`);
      overflows += 1;
      continue;
    }
    const { expression, kind } = reading.operand;
    const sql = expressionSql(expression, (name) => `"${name}"`);
    if (sql.length > 50_000) continue;
    judged += 1;
    database.exec("DROP TABLE IF EXISTS r");
    database.exec(
      `CREATE TABLE r (id integer PRIMARY KEY, a integer, b integer, c integer, d integer, t text, u text, x integer, y integer, n text)`,
    );
    // As an upgrade adds it to rows that exist, with an index.
    const rows = Array.from({ length: ROWS }, () => rowOf(random));
    for (const [at, { stored }] of rows.entries()) {
      const cells = Object.values(stored);
      database.prepare(`INSERT INTO r VALUES (${["?", ...cells.map(() => "?")].join(", ")})`).run(
        at,
        ...cells,
      );
    }
    database.exec(`ALTER TABLE r ADD COLUMN v GENERATED ALWAYS AS (${sql}) VIRTUAL`);
    database.exec("CREATE INDEX r_v ON r (v)");
    const statement = database.prepare("SELECT v FROM r ORDER BY id").raw();
    statement.safeIntegers(true);
    const found = statement.all().map((row) => Array.isArray(row) ? row[0] : null);
    for (const [at, { stored, naive }] of rows.entries()) {
      const where = `seed ${seed}, row ${at}: ${made.text}`;
      const wanted = storedForm(made.naive(naive), kind.is === "exact" ? kind.scale : 0, where);
      assertEquals(found[at], wanted, where);
      const here = expressionValue(
        expression,
        (name) => Object.entries(stored).find(([one]) => one === name)?.[1] ?? null,
      );
      assertEquals(typeof here === "number" ? BigInt(here) : here, wanted, where);
    }
    assert(columnsIn(expression).every((name) => Object.hasOwn(TYPES, name)));
  }
  assert(judged > EXPRESSIONS / 2, `Only ${judged} were judged`);
  assert(overflows > 0, `Only ${overflows} were refused`);
});

/** Without its point; what has more digits than its scale has been computed wrongly. */
function storedForm(value: Naive, scale: number, where: string): string | bigint | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  const over = value.over * 10n ** BigInt(scale);
  assertEquals(over % value.under, 0n, where);
  return over / value.under;
}
