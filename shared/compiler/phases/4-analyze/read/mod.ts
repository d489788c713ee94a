/** Readers of located values and of the members of one object; those of roles, rate limits and other words stand apart. */
export * from "./fields.ts";
export * from "./read_member.ts";
export * from "./reader.ts";
export * from "./scalars.ts";
