/** What no schema can say of a changeset's operations: each `as` is one's own, and a reference leads to one before it. */
import { isRecord } from "./api.ts";
import type { Random } from "./random.ts";

type Operation = Readonly<Record<string, unknown>>;

/** The body with names of their own, and references where an earlier operation made what is named. */
export function settledChangeset(body: unknown, random: Random): unknown {
  if (!isRecord(body) || !Array.isArray(body["operations"])) return body;
  const made: Operation[] = [];
  const operations = body["operations"].filter(isRecord).map((one, at) => {
    const named = "as" in one ? { ...one, as: `${String(one["as"]).slice(0, 50)}_${at}` } : one;
    const settled = withReferences(named, { made, random });
    if (named["op"] === "create" && "as" in named) made.push(named);
    return settled;
  });
  return { ...body, operations };
}

function withReferences(
  operation: Operation,
  { made, random }: { readonly made: readonly Operation[]; readonly random: Random },
): Operation {
  const idOf = (isMade: (resource: string) => boolean) => {
    const found = made.find(({ resource }) => isMade(String(resource)));
    return found && random.chance(70) ? { $ref: `${String(found["as"])}.id` } : undefined;
  };
  const { id, data } = operation;
  const own = id === undefined ? undefined : idOf((name) => name === operation["resource"]);
  const fields = Object.entries(isRecord(data) ? data : {}).map(([name, value]) => {
    const target = /^(\w+)Id$/.exec(name)?.[1];
    return [name, (target && idOf((made) => made.startsWith(target))) ?? value];
  });
  return {
    ...operation,
    ...(own === undefined ? {} : { id: own }),
    ...(isRecord(data) ? { data: Object.fromEntries(fields) } : {}),
  };
}
