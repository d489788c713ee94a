/** Describes a change of a record in the response with its history (definitions 4, `audit`). */
import { isJsonObject } from "../../lib/json.ts";
import type { JsonSchema } from "../parameters.ts";
import { closed } from "./json_schema.ts";
import { orNull } from "./zod_json.ts";

/** Kinds of changes, by their effect on the record. */
export const CHANGE_KINDS = ["create", "update", "delete", "restore"] as const;
export type ChangeKind = typeof CHANGE_KINDS[number];

const NAME: JsonSchema = { type: "string", minLength: 1 };

/** Returns the schema of a change; `record` is the resource's record as its reader sees it. */
export function changeSchema(record: JsonSchema): JsonSchema {
  const { properties } = record;
  const some: JsonSchema = {
    type: "object",
    properties: isJsonObject(properties) ? properties : {},
    additionalProperties: false,
  };
  const described = (description: string, schema: JsonSchema) => ({ ...schema, description });
  return closed({
    id: described("Id of the change.", { type: "string", pattern: "^chg_" }),
    kind: described("What happened to the record.", { type: "string", enum: [...CHANGE_KINDS] }),
    at: described("When the record was changed.", { type: "string", format: "date-time" }),
    actorUserId: described("Who changed it; null: nobody who is known.", orNull(NAME)),
    impersonatorUserId: described(
      "Who acted in the place of that user; null: nobody did.",
      orNull(NAME),
    ),
    operation: described("Operation, job or event that changed it.", orNull(NAME)),
    requestId: described("The request, as the log names it.", orNull(NAME)),
    before: described("Fields that differ, as they were; null: there was no record.", orNull(some)),
    after: described("Fields that differ, as they became; null: there is none.", orNull(some)),
  });
}
