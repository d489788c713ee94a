/** Random questions about a world: mostly good ones, some with a mistake in them. */
import type { Random } from "../../support/random.ts";
import { type Column, COLUMN_KINDS, subset, type Table, valuesOf, type World } from "./domain.ts";
import { nearText } from "./vectors.ts";
import { type Caller, decimalText, type GroupQuestion, type Question } from "./naive_reads.ts";

export function randomCaller(random: Random): Caller {
  return {
    userId: random.pick(["u1", "u2"]),
    organizationId: random.pick(["o1", "o1", "o2"]),
    roles: random.pick([["admin"], ["editor"], ["guest"], ["editor", "guest"], ["stranger"]]),
  };
}

export function randomQuestion(random: Random, world: World): Question {
  const name = random.chance(75) ? "notes" : "authors";
  const table = world[name];
  const view = table.view !== null && random.chance(40);
  const fields = view && table.view ? table.view.fields : table.columns.map((one) => one.name);
  // Mostly what the view shows; now and then what it does not.
  const columns = random.chance(92)
    ? table.columns.filter((one) => fields.includes(one.name))
    : table.columns;
  const parameters = [
    ...maybe(random, 60, () => ["limit", random.pick(["1", "2", "3", "5", "0", "200"])] as const),
    ...maybe(random, 30, () => ["offset", String(random.below(6))] as const),
    ...maybe(random, 60, () => ["sort", sortText(random, columns)] as const),
    ...maybe(random, 20, () => ["order", random.pick(["asc", "desc"])] as const),
    ...maybe(random, 20, () => ["deleted", random.pick(["only", "with", "only", "true"])] as const),
    ...maybe(random, 40, () => ["total", random.pick(["true", "false"])] as const),
    ...maybe(
      random,
      25,
      () =>
        ["search", random.pick(["a", "A", "%", "_", "\\", "é", "É", "S", "K", "", "zz"])] as const,
    ),
    ...maybe(random, 30, () => ["fields", fieldsText(random, columns)] as const),
    ...filters(random, columns),
    ...includes(random, name === "notes" ? ["authorId", world.authors] : ["notes", world.notes]),
    ...maybe(
      random,
      3,
      () => random.pick([["nope", "1"], ["title.is", "1"], ["title[]", "a"]] as const),
    ),
  ];
  return { table: name, view, parameters };
}

/** The same to the notes, most of them without an order of their own. */
export function nearQuestion(random: Random, world: World): Question {
  const { view, parameters } = randomQuestion(random, { ...world, authors: world.notes });
  const placed = ["sort", "order", "offset"];
  const isPlaced = random.chance(8);
  return {
    table: "notes",
    view: view && random.chance(15),
    parameters: [
      ["near", nearText(random)],
      ...parameters.filter(([name]) => isPlaced || !placed.includes(name)),
    ],
  };
}

export function randomGroupQuestion(random: Random, world: World): GroupQuestion {
  const name = random.chance(60) ? "notes" : "authors";
  const { groups: { keys, aggregations }, columns } = world[name];
  const names = [...keys.map(({ column }) => column), ...aggregations.map((one) => one.name)];
  const shown = columns.filter((one) => keys.some(({ column }) => column === one.name));
  const sort = () =>
    Array.from({ length: 1 + random.below(2) }, () => random.pick(names))
      .map((one) => random.chance(50) ? `-${one}` : one).join(",");
  return {
    table: name,
    parameters: [
      ...maybe(random, 50, () => ["limit", random.pick(["1", "2", "3", "200"])] as const),
      ...maybe(random, 25, () => ["offset", String(random.below(4))] as const),
      ...maybe(random, 60, () => ["sort", sort()] as const),
      ...maybe(random, 20, () => ["order", random.pick(["asc", "desc"])] as const),
      ...maybe(random, 40, () => ["total", "true"] as const),
      ...maybe(random, 20, () => ["deleted", random.pick(["only", "with"])] as const),
      ...filters(random, random.chance(95) ? shown : columns),
      ...maybe(
        random,
        4,
        () => random.pick([["search", "a"], ["fields", "id"], ["include", "authorId"]] as const),
      ),
    ],
  };
}

type Parameters = readonly (readonly [string, string])[];

function maybe(
  random: Random,
  percent: number,
  make: () => readonly [string, string],
): Parameters {
  return random.chance(percent) ? [make()] : [];
}

function sortText(random: Random, columns: readonly Column[]): string {
  const names = Array.from({ length: 1 + random.below(3) }, () => random.pick(columns).name);
  return names.map((one) => random.chance(50) ? `-${one}` : one).join(",");
}

function fieldsText(random: Random, columns: readonly Column[]): string {
  const names = subset(random, columns.map(({ name }) => name));
  return [...names, ...(random.chance(10) ? ["unknown"] : [])].join(",");
}

const OPERATORS = ["", ".ne", ".gt", ".gte", ".lt", ".lte", ".like", ".ilike", ".in", ".nin"];

function filters(random: Random, columns: readonly Column[]): Parameters {
  const picked = new Map(
    Array.from({ length: random.below(3) }, () => {
      const { name, kind } = random.pick(columns);
      const operator = random.pick(["", ...OPERATORS]);
      const value = () =>
        random.chance(6) ? random.pick(["", "x", "1.5", "null"]) : valueText(random, kind);
      return [
        name + operator,
        operator.endsWith("in") ? `${value()},${value()}` : value(),
      ] as const;
    }),
  );
  return [...picked];
}

function valueText(random: Random, kind: Column["kind"]): string {
  if (kind === "id") return random.pick(["n0", "n7", "a14"]);
  if (kind === "scope") return random.pick(["u1", "o1"]);
  const value = random.pick(valuesOf(random.chance(95) ? kind : random.pick(COLUMN_KINDS)));
  if (kind === "decimal" && typeof value === "number") {
    return random.pick([decimalText(value), String(value), "1.5", "0.125"]);
  }
  return kind === "bool" ? String(value === 1) : String(value);
}

function includes(
  random: Random,
  [name, target]: readonly [name: string, target: Table],
): Parameters {
  if (!random.chance(35)) return [];
  return [
    ["include", random.chance(95) ? name : "title"],
    ...maybe(random, 40, () => [`fields[${name}]`, fieldsText(random, target.columns)]),
  ];
}
