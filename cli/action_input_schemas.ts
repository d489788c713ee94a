/**
 * Collects JSON Schemas of actions' inputs (contract 4.8, raw-files rule 2): those that can be read from the definitions, and
 * for other actions those that the author wrote. It never runs the author's code (definitions, "Nothing here is ever
 * executed").
 */
import { parsedJson } from "../shared/lib/json.ts";
import type { CompileRequest, Diagnostic, RawFiles } from "../shared/compiler/mod.ts";
import { validate } from "../shared/compiler/mod.ts";
import { schemaJson } from "../shared/surface/mod.ts";
import { CommandError } from "./exit_codes.ts";

/** File of the author's input schemas, by `<feature>.<action>`. */
export const SCHEMAS_FILE = "quickback/action-input-schemas.json";

export type InputSchemas = Readonly<Record<string, unknown>>;

/** Reads the file's entries; the compiler decides which of them are usable. */
export function readInputSchemas(text: string | undefined): InputSchemas {
  if (text === undefined) return {};
  const value = parsedJson(text);
  if (value === undefined) throw new CommandError(`"${SCHEMAS_FILE}" is not valid JSON`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new CommandError(
    `"${SCHEMAS_FILE}" must map actions to JSON Schemas, as in {"jobs.close": {"type": "object"}}`,
  );
}

/** Makes the request of a compile in this process. */
export function requestWith(written: InputSchemas): CompileRequest {
  return { actionInputSchemas: written, readsSchemas: true };
}

interface SchemasToSend {
  readonly schemas: InputSchemas;
  /** Errors of a project whose schemas cannot all be read. */
  readonly errors: readonly Diagnostic[];
}

/** Returns the input schemas for a build service: contract v2 requires one for every action. */
export function schemasToSend(files: RawFiles, written: InputSchemas): SchemasToSend {
  const result = validate(files, undefined, requestWith(written));
  if (!result.ok) return { schemas: written, errors: result.errors };
  const readable = result.model.actions.filter(({ key, input }) =>
    !Object.hasOwn(written, key) && input.kind !== "open"
  );
  const read = readable.map(({ key, input }) => [key, schemaJson(input, "input")]);
  return { schemas: { ...Object.fromEntries(read), ...written }, errors: [] };
}
