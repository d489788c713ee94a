/**
 * Exports the readers of located values and of the members of one object. Readers of roles, rate limits and other words are
 * separate modules.
 */
export { type Fields, noFields, readField, readFields } from "./fields.ts";
export { read } from "./read_member.ts";
export { asRule, type At, below, described, invalidValue, type Reader } from "./reader.ts";
export { type Token, wrongType } from "./reader.ts";
export { mapOf, oneOf, readBoolean, readJson, readTokens } from "./scalars.ts";
