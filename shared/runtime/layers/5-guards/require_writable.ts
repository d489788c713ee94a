/**
 * Judges the fields that a body may contain (contract 7.2, definitions 4.3). Refuses with one `GUARD_…` code for all fields of
 * its kind.
 */
import type { RuntimeCode } from "../../../contract/mod.ts";
import { pointerTo } from "../../../lib/json.ts";
import type { ResourceModel, TableModel } from "../../../model/mod.ts";
import { clientIdRule, refusalOf, type WriteVerb } from "../../../surface/mod.ts";
import { refuse } from "../../refusal.ts";

/** The kinds from the most to the least severe. A body with several is refused for the most severe one. */
const PRECEDENCE: readonly RuntimeCode[] = [
  "GUARD_SYSTEM_MANAGED",
  "GUARD_FIELD_PROTECTED",
  "GUARD_FIELD_IMMUTABLE",
  "GUARD_FIELD_NOT_CREATEABLE",
  "GUARD_FIELD_NOT_UPDATABLE",
];

/** Maximum fields in a refusal, so that a hostile body does not determine its size. */
const FIELDS_LISTED_MAX = 100;
const NAME_SHOWN_MAX = 100;

export function requireWritable(
  verb: WriteVerb,
  fieldsSent: readonly string[],
  { resource, table }: {
    readonly resource: Pick<ResourceModel, "guards">;
    readonly table: TableModel;
  },
): void {
  const takesId = verb === "create" && clientIdRule(table) !== "refused";
  const refused = new Map<RuntimeCode, string[]>();
  for (const field of fieldsSent) {
    if (takesId && field === table.primaryKey) continue;
    const code = refusalOf(verb, field, resource, table);
    if (code === null) continue;
    const fields = refused.get(code);
    if (fields) fields.push(field);
    else refused.set(code, [field]);
  }
  if (refused.size > 0) refuseFields(refused);
}

function refuseFields(refused: ReadonlyMap<RuntimeCode, readonly string[]>): never {
  for (const code of PRECEDENCE) {
    const fields = refused.get(code)?.slice(0, FIELDS_LISTED_MAX)
      .map((field) => field.slice(0, NAME_SHOWN_MAX));
    const [first] = fields ?? [];
    if (fields && first !== undefined) {
      return refuse(code, { details: { fields }, pointer: pointerTo(first) });
    }
  }
  throw new Error(`No precedence for ${[...refused.keys()].join(", ")}`);
}
