/** The face of conformance: what two versions of a project differ in, for hosts. */
export { accessChanges } from "../diff/access_changes.ts";
export { apiChanges } from "../diff/api_changes.ts";
export type { Change, ChangeKind } from "../diff/change.ts";
export { fieldChanges } from "../diff/field_changes.ts";
export { conditionText } from "../../shared/oracle/explain.ts";
export { conditionsIn, isHeld, mayAdmit } from "../../shared/oracle/judge.ts";
export { type DefinitionPlaces, placeText, predicatePlace } from "../../shared/oracle/places.ts";
export { type PrincipalClass, principalClassesOf } from "../../shared/oracle/principal_class.ts";
export { routeFinder } from "../why/route_at.ts";
export { withoutCollisions } from "../rows/unique_rows.ts";
export {
  type UnscopedTable,
  unscopedTables,
  unscopedText,
} from "../../shared/oracle/unscoped_tables.ts";
export { type Why, why, type WhyQuestion, type WhyStep } from "../why/why.ts";
