/** The face of conformance: what two versions of a project differ in, for hosts. */
export { accessChanges } from "./diff/access_changes.ts";
export { apiChanges } from "./diff/api_changes.ts";
export type { Change, ChangeKind } from "./diff/change.ts";
export { fieldChanges } from "./diff/field_changes.ts";
export { accessText, conditionText, explain, type Explanation } from "./explain.ts";
export { conditionsIn, isHeld, mayAdmit } from "./judge.ts";
export {
  conditionPlace,
  type DefinitionPlaces,
  NO_PLACES,
  placeText,
  predicatePlace,
  routeRulePlace,
} from "./places.ts";
export { type PrincipalClass, principalClassesOf } from "./principal_class.ts";
export { type RouteAt, routeFinder } from "./route_at.ts";
export { type Why, why, type WhyQuestion, type WhyStep } from "./why/why.ts";
