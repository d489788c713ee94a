/**
 * Changes of schemas that can break a client (contract 9.3): requests must not get narrower, responses must not get wider.
 */
import type { Change } from "./change.ts";
import { entriesOf, isObject, type Json, listOf } from "./json_tree.ts";

/** Changes of components, by name. A batch takes what the single operations take, and is reported there. */
export function schemaChanges(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
): readonly Change[] {
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (now === undefined || name.endsWith("Batch")) return [];
    return typeChanges(name, { old, now, isSent: /(?:Create|Update|Upsert)$/.test(name) });
  });
}

interface Versions {
  readonly old: Json;
  readonly now: Json;
  readonly isSent: boolean;
}

/** Changes of one value and all that is in it. */
export function typeChanges(subject: string, versions: Versions): readonly Change[] {
  const { old, now, isSent } = versions;
  const [items, itemsNow] = [old.items, now.items];
  return [
    ...kindChange(subject, versions),
    ...enumChange(subject, versions),
    ...LIMITS.flatMap((limit) => limitChange(subject, limit, versions)),
    ...shapeChange(subject, versions),
    ...memberChanges(subject, versions),
    ...(isObject(items) && isObject(itemsNow)
      ? typeChanges(`${subject}[]`, { old: items, now: itemsNow, isSent })
      : []),
  ];
}

function kindChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [types, nowTypes] = [listOf(old.type), listOf(now.type)];
  const [from, to] = isSent ? [types, nowTypes] : [nowTypes, types];
  const lost = from.filter((type) =>
    !to.includes(type) && !(type === "integer" && to.includes("number"))
  );
  return lost.length > 0 && to.length > 0
    ? [breaking(subject, `${types.join(" or ")} → ${nowTypes.join(" or ")}`)]
    : [];
}

function enumChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [listOf(old.enum), listOf(now.enum)];
  if (before.length === 0 && after.length === 0) return [];
  if (before.length === 0) {
    return isSent ? [breaking(subject, `only ${after.join(", ")} is taken now`)] : [];
  }
  const gone = before.filter((value) => !after.includes(value));
  const added = after.length === 0 ? ["any text"] : after.filter((one) => !before.includes(one));
  if (isSent) {
    return after.length > 0 && gone.length > 0
      ? [breaking(subject, `${gone.join(", ")} is no longer taken`)]
      : [];
  }
  return added.length > 0
    ? [change(isOpen(subject) ? "addition" : "breaking", subject, `may now be ${added.join(", ")}`)]
    : [];
}

/** Clients go by a problem's status where they do not know its code: a new rule is no new API. */
function isOpen(subject: string): boolean {
  return subject === "Problem.code" || subject === "BatchError.code";
}

interface Limit {
  readonly keyword: string;
  readonly isUpper: boolean;
}

const LIMITS: readonly Limit[] = [
  { keyword: "maxLength", isUpper: true },
  { keyword: "minLength", isUpper: false },
  { keyword: "maximum", isUpper: true },
  { keyword: "minimum", isUpper: false },
  { keyword: "maxItems", isUpper: true },
  { keyword: "minItems", isUpper: false },
];

function limitChange(
  subject: string,
  { keyword, isUpper }: Limit,
  { old, now, isSent }: Versions,
): readonly Change[] {
  const [before, after] = [old[keyword], now[keyword]];
  const open = isUpper ? Infinity : -Infinity;
  const growth = Number(after ?? open) - Number(before ?? open);
  const isWider = isUpper ? growth > 0 : growth < 0;
  const isNarrower = isUpper ? growth < 0 : growth > 0;
  return (isSent ? isNarrower : isWider)
    ? [breaking(subject, `${keyword} ${before ?? "none"} → ${after ?? "none"}`)]
    : [];
}

/** Callers must keep to another form, or may no longer add what nobody reads. */
function shapeChange(subject: string, { old, now, isSent }: Versions): readonly Change[] {
  if (!isSent) return [];
  const changed = ["format", "pattern"].filter((keyword) =>
    now[keyword] !== undefined && now[keyword] !== old[keyword]
  );
  const isClosed = now.additionalProperties === false && old.additionalProperties !== false;
  return [
    ...changed.map((keyword) =>
      breaking(subject, `${keyword} ${old[keyword] ?? "none"} → ${now[keyword]}`)
    ),
    ...(isClosed ? [breaking(subject, "takes no unknown members any more")] : []),
  ];
}

function memberChanges(schema: string, { old, now, isSent }: Versions): readonly Change[] {
  const [before, after] = [new Map(entriesOf(old.properties)), new Map(entriesOf(now.properties))];
  const [neededBefore, neededNow] = [listOf(old.required), listOf(now.required)];
  const subject = (name: string) => `${schema}.${name}`;
  return [
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) =>
      breaking(subject(name), isSent ? "is no longer taken" : "is no longer answered")
    ),
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) =>
      isSent && neededNow.includes(name)
        ? breaking(subject(name), "is new and needed")
        : change("addition", subject(name), "is new")
    ),
    ...[...before.keys()].filter((name) => after.has(name)).flatMap((name) =>
      needChange(subject(name), {
        isSent,
        wasNeeded: neededBefore.includes(name),
        isNeeded: neededNow.includes(name),
      })
    ),
    ...[...before].flatMap(([name, type]) => {
      const other = after.get(name);
      return isObject(type) && isObject(other)
        ? typeChanges(subject(name), { old: type, now: other, isSent })
        : [];
    }),
  ];
}

interface Need {
  readonly isSent: boolean;
  readonly wasNeeded: boolean;
  readonly isNeeded: boolean;
}

function needChange(subject: string, { isSent, wasNeeded, isNeeded }: Need): readonly Change[] {
  if (isSent) return isNeeded && !wasNeeded ? [breaking(subject, "is needed now")] : [];
  return wasNeeded && !isNeeded ? [breaking(subject, "may be left out now")] : [];
}

function breaking(subject: string, text: string): Change {
  return change("breaking", subject, text);
}

function change(kind: Change["kind"], subject: string, text: string): Change {
  return { kind, subject, text, principals: [] };
}
