/** Compares an answer with the expected one. Returns the differences as sentences, none if they agree (contract 2.5–2.7). */
import { isJsonObject } from "../../shared/lib/json.ts";
import type { ExpectedField, ExpectedRecord } from "../questions/expected_record.ts";
import {
  type Expectation,
  type ExpectedBatch,
  type ExpectedIncluded,
  type ExpectedPage,
  statusOf,
} from "../questions/question.ts";

export interface Answer {
  readonly status: number;
  /** Parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

export function differences(expected: Expectation, answer: Answer): readonly string[] {
  switch (expected.kind) {
    case "refused": {
      const wanted = `${statusOf(expected.code)} ${expected.code}`;
      const differing = answerDifference(wanted, shownAnswer(answer));
      if (differing.length > 0 || expected.pointer === null) return differing;
      return valueDifferences("pointer", expected.pointer, memberOf(answer.body, "pointer"));
    }
    case "status":
      return answerDifference(
        `${expected.status} ${expected.code ?? ""}`.trim(),
        expected.code === null ? String(answer.status) : shownAnswer(answer),
      );
    case "body":
      return answer.status === expected.status
        ? valueDifferences("the body", expected.body, answer.body)
        : answerDifference(String(expected.status), shownAnswer(answer));
    case "record": {
      if (!expected.statuses.includes(answer.status)) {
        return answerDifference(expected.statuses.join(" or "), shownAnswer(answer));
      }
      const { included: embedded, ...rest } = objectOf(answer.body);
      const isOwn = expected.record.has("included");
      return [
        ...recordDifferences("the record", expected.record, isOwn ? answer.body : rest),
        ...(expected.included === null ? [] : includedDifferences(expected.included, embedded)),
      ];
    }
    case "page":
      return pageDifferences(expected, answer);
    case "batch":
      return batchDifferences(expected, answer);
    case "admitted":
      return REFUSING.test(codeOf(answer.body) ?? "") || answer.status >= 500 &&
          codeOf(answer.body) !== "ACTION_EXECUTION_FAILED"
        ? answerDifference("an answer to a caller who is let in", shownAnswer(answer))
        : [];
  }
}

/** Error codes of authentication, firewall, access by role, guards and the router. */
const REFUSING =
  /^(AUTH_|FIREWALL_|ACCESS_(ROLE|NO_ORG|CONDITION|OWNERSHIP)|ORG_REQUIRED|GUARD_|NOT_FOUND|ROUTE_|METHOD_)/;

function pageDifferences(expected: ExpectedPage, answer: Answer): readonly string[] {
  if (answer.status !== 200) return answerDifference("200", shownAnswer(answer));
  const data = listOf(memberOf(answer.body, "data"));
  return [
    ...valueDifferences("view", expected.view, memberOf(answer.body, "view")),
    ...(expected.key === null
      ? countDifference(expected, data)
      : keyed(expected, expected.key, data)),
    ...totalDifference(expected, answer.body),
    ...Object.entries(expected.aggregations ?? {}).flatMap(([name, value]) =>
      valueDifferences(
        `aggregation "${name}"`,
        value,
        memberOf(memberOf(answer.body, "aggregations"), name),
      )
    ),
    ...(expected.included === null
      ? []
      : includedDifferences(expected.included, memberOf(answer.body, "included"))),
  ];
}

function keyed(
  { records, isExact }: ExpectedPage,
  key: string,
  data: readonly unknown[],
): readonly string[] {
  const found = new Map(data.map((one) => [String(memberOf(one, key)), one]));
  const surplus = isExact ? [...found.keys()].filter((id) => !records.has(id)) : [];
  return [
    ...surplus.map((id) => `shows ${id}, which this caller may not see`),
    ...[...records].flatMap(([id, record]) =>
      found.has(id) ? recordDifferences(id, record, found.get(id)) : [`hides ${id}`]
    ),
  ];
}

/** Compares records without a key: their number, and that each matches some expected record. */
function countDifference(
  { records, isExact }: ExpectedPage,
  data: readonly unknown[],
): readonly string[] {
  if (isExact && data.length !== records.size) {
    return [`shows ${data.length} records in place of ${records.size}`];
  }
  const strange = isExact
    ? data.find((one) =>
      [...records.values()].every((record) => recordDifferences("", record, one).length > 0)
    )
    : undefined;
  return strange === undefined ? [] : [`shows ${JSON.stringify(strange)}`];
}

function totalDifference({ records, isExact }: ExpectedPage, body: unknown): readonly string[] {
  const pagination = memberOf(body, "pagination");
  const total = memberOf(pagination, "total");
  if (!isExact) return [];
  return [
    ...valueDifferences("pagination.count", records.size, memberOf(pagination, "count")),
    ...(total === undefined ? [] : valueDifferences("pagination.total", records.size, total)),
  ];
}

function includedDifferences(
  expected: ExpectedIncluded,
  included: unknown,
): readonly string[] {
  return [...expected].flatMap(([column, records]) => {
    const found = objectOf(memberOf(included, column));
    // Embedded lists of rows are compared by the ids of both the record and the row.
    const embedded = Object.fromEntries(
      Object.entries(found).flatMap(([id, value]) =>
        typeof memberOf(value, "hasMore") === "boolean" && Array.isArray(memberOf(value, "data"))
          ? listOf(memberOf(value, "data")).map((one) => [`${id}/${memberOf(one, "id")}`, one])
          : [[id, value]]
      ),
    );
    // Of many rows that refer to one record, the answer contains only the first ones.
    const isCut = (id: string) => memberOf(found[id.split("/")[0] ?? ""], "hasMore") === true;
    return [
      ...Object.keys(embedded).filter((id) => !records.has(id))
        .map((id) => `embeds ${id}, which this caller may not see`),
      ...[...records].flatMap(([id, record]) =>
        Object.hasOwn(embedded, id)
          ? recordDifferences(`embedded ${id}`, record, embedded[id])
          : isCut(id)
          ? []
          : [`does not embed ${id}`]
      ),
    ];
  });
}

function batchDifferences(expected: ExpectedBatch, answer: Answer): readonly string[] {
  if (answer.status !== expected.status) {
    return answerDifference(String(expected.status), shownAnswer(answer));
  }
  const success = listOf(memberOf(answer.body, "success"));
  const errors = listOf(memberOf(answer.body, "errors")).map((item) => ({
    index: memberOf(item, "index"),
    code: memberOf(memberOf(item, "error"), "code"),
  }));
  const indexed = [...expected.errors].sort((a, b) => a.index - b.index);
  return [
    ...valueDifferences("errors", indexed, errors),
    ...valueDifferences("successes", expected.success.length, success.length),
    ...expected.success.flatMap((record, at) =>
      recordDifferences(`success ${at}`, record, success[at])
    ),
  ];
}

/** Returns the differences of two records. The report omits values: most mismatches are values that should have been hidden. */
function recordDifferences(
  what: string,
  expected: ExpectedRecord,
  found: unknown,
): readonly string[] {
  const record = objectOf(found);
  const missing = [...expected.keys()].filter((name) => !Object.hasOwn(record, name));
  const surplus = Object.keys(record).filter((name) => !expected.has(name));
  return [
    ...missing.map((name) => `${what} has no "${name}"`),
    ...surplus.map((name) => `${what} shows "${name}", which is not part of it`),
    ...[...expected].filter(([name, field]) =>
      Object.hasOwn(record, name) && !agrees(field, record[name])
    ).map(([name, field]) =>
      `${what} shows another "${name}" than ${
        field.kind === "value" ? JSON.stringify(field.value) : "a masked one"
      }`
    ),
  ];
}

function agrees(field: ExpectedField, value: unknown): boolean {
  switch (field.kind) {
    case "any":
      return true;
    case "masked":
      return value !== field.plain && value !== null;
    case "value":
      return isSame(field.value, value);
  }
}

function valueDifferences(what: string, wanted: unknown, found: unknown): readonly string[] {
  return isSame(wanted, found)
    ? []
    : [`${what} is ${JSON.stringify(found) ?? "missing"} in place of ${JSON.stringify(wanted)}`];
}

function isSame(one: unknown, other: unknown): boolean {
  if (isJsonObject(one) && isJsonObject(other)) {
    const [names, others] = [Object.keys(one), Object.keys(other)];
    return names.length === others.length &&
      names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  }
  return one === other;
}

function answerDifference(wanted: string, found: string): readonly string[] {
  return wanted === found ? [] : [`answered ${found} in place of ${wanted}`];
}

export function shownAnswer({ status, body }: Answer): string {
  return `${status} ${codeOf(body) ?? ""}`.trim();
}

function codeOf(body: unknown): string | null {
  const code = memberOf(body, "code");
  return typeof code === "string" ? code : null;
}

export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
