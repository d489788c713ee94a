/** What went wrong with a migration, in words that say where, and what to do about it (definitions 2, `compiler.migrations`). */
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

/** What the rows that exist do not keep to, and the way out; null: nothing that the rows could be blamed for. */
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
