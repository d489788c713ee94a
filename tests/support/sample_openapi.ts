/** What `quickback/openapi` stands for while the worker template is checked in this repository. */
export const asyncapi: string | null = null;
export const openapi: string | null = null;
