/** The face of conformance: what two versions of a project differ in, for hosts. */
export { accessChanges } from "./diff/access_changes.ts";
export { apiChanges } from "./diff/api_changes.ts";
export type { Change, ChangeKind } from "./diff/change.ts";
export { fieldChanges } from "./diff/field_changes.ts";
export { conditionText } from "./explain.ts";
export { conditionsIn, isHeld, mayAdmit } from "./judge.ts";
export { type DefinitionPlaces, placeText, predicatePlace } from "./places.ts";
export { type PrincipalClass, principalClassesOf } from "./principal_class.ts";
export { routeFinder } from "./route_at.ts";
export { withoutCollisions } from "./seed/unique_rows.ts";
export { type UnscopedTable, unscopedTables, unscopedText } from "./unscoped_tables.ts";
export { type Why, why, type WhyQuestion, type WhyStep } from "./why/why.ts";
