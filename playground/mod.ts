/** Entry point of the playground: the page in which `dev` lets the user edit, compile and try the project (definitions 8). */
export { type OpenOptions, Playground } from "./playground.ts";
export type { ApiAddress, Credential } from "./server/ask_api.ts";
export type {
  ApiAnswer,
  ApiRequest,
  Delivery,
  EditorLibrary,
  Status,
  StoredRows,
  Table,
} from "./protocol.ts";
export { PlaygroundRefusal } from "./server/request_body.ts";
export { NO_STATUS } from "./no_status.ts";
export type { SandboxedApi, TabOutput } from "./browser/alone/sandboxed_api.ts";
export type { CryptoHost, CryptoMethod, KeyHandle } from "./browser/alone/crypto_host.ts";
