/** Explains a failed migration: the place, the cause, and the way out (definitions 2, `compiler.migrations`). */
import { ConstraintError, type Migration } from "../ports.ts";

/** The error that ends the migrating; what the database said is its cause. */
export function migrationFailure({ tag }: Migration, cause: unknown): Error {
  const said = cause instanceof ConstraintError ? refusalOf(cause) : null;
  const text = `Migration '${tag}' failed and changed nothing`;
  if (said === null) return new Error(text, { cause });
  return new Error(`${text}: ${said}, then migrate again. ${TAKEN_BACK}`, { cause });
}

const TAKEN_BACK = "To take it back instead, restore quickback/drizzle/features as it was before " +
  "and compile again";

/** The rule that existing rows break, and the way out; null: the rows are not the cause. */
function refusalOf({ kind, subjects }: ConstraintError): string | null {
  const names = subjects.map(finalName).join(", ");
  switch (kind) {
    case "unique":
    case "primaryKey":
      return `rows that exist repeat values in ${names}, which are unique from now on; ` +
        "change or remove the repeated ones";
    case "notNull":
      return `rows that exist have no value in ${names}, which is required from now on; fill them`;
    case "foreignKey":
      return `rows that exist${
        names === "" ? "" : ` in ${names}`
      } refer to rows that are not there; ` +
        "change or remove them";
    case "check":
      return null;
  }
}

/** A table that is rebuilt has another name meanwhile. */
function finalName(subject: string): string {
  return subject.replace(/^__new_/, "");
}
