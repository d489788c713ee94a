/** Refusals of the playground's server: one closed table. */
import { PROBLEM_MEDIA_TYPE } from "../../shared/contract/headers.ts";

const REFUSALS = {
  HOST_REFUSED: [421, "Other host"],
  ORIGIN_REFUSED: [403, "Other page"],
  TOKEN_REFUSED: [401, "Other run"],
  ROUTE_NOT_FOUND: [404, "Route not found"],
  BODY_REFUSED: [400, "Body not understood"],
  BODY_TOO_LARGE: [413, "Body too large"],
  PATH_REFUSED: [403, "Path refused"],
  LINK_REFUSED: [403, "Symbolic link"],
  FILE_MISSING: [404, "File not found"],
  FILE_CHANGED: [412, "File changed on disk"],
  HASH_MISSING: [428, "Precondition required"],
  DISK_REFUSED: [403, "Refused by the file system"],
  PROJECT_UNREADABLE: [409, "Project not readable"],
  NO_API: [503, "No API yet"],
  API_UNREACHABLE: [502, "API not reachable"],
  NO_SUCH_PERSON: [400, "Nobody of that name"],
  FAILED: [500, "Failed"],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

type RefusalCode = keyof typeof REFUSALS;

export class PlaygroundRefusal extends Error {
  override readonly name = "PlaygroundRefusal";
  readonly code: RefusalCode;

  /** `detail` says what is wrong and the way out. */
  constructor(code: RefusalCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** A problem document (RFC 9457) without a type of its own. */
export function refusalResponse({ code, message }: PlaygroundRefusal): Response {
  const [status, title] = REFUSALS[code];
  return new Response(JSON.stringify({ title, status, code, detail: message }), {
    status,
    headers: { "content-type": PROBLEM_MEDIA_TYPE },
  });
}
