/** The exports of the client: all that an application imports beside the types of its API (contract 9.5). */
export type { ApiShape } from "./api.ts";
export { ApiError, type Refusal } from "./api_error.ts";
export type { Auth, OrganizationAuth } from "./auth.ts";
export { type Client, createClient } from "./client.ts";
export type {
  FileAddress,
  FileClient,
  FilePresign,
  FileReadOptions,
  FilesClient,
  FileUploadOptions,
  FileWriteOptions,
  UnkeyedOptions,
} from "./file_client.ts";
export type {
  ActionOptions,
  Batch,
  BatchAnswer,
  Pages,
  ResourceClient,
  Tagged,
} from "./resource_client.ts";
export type { Changeset } from "./changeset.ts";
export type { ClientStorage } from "./session_store.ts";
export type { Frame, Resync, Subscribe, SubscribeOptions } from "./subscription.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";
