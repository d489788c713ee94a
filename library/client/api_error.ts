/** A refusal as the client throws it, whatever form the answer had (contract 2.7, 4.4 rule 6, 8.1.6). */

export interface Refusal {
  readonly status: number;
  /** Empty if the answer has no code. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** JSON pointer to the first offending field. */
  readonly pointer: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** Seconds until another attempt, if the answer names them. */
  readonly retryAfter: number | null;
}

export class ApiError<Code extends string = string> extends Error implements Refusal {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: Code | (string & Record<never, never>);
  readonly hint: string | null;
  readonly pointer: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.hint = refusal.hint;
    this.pointer = refusal.pointer;
    this.details = refusal.details;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
  }
}

/** Reads an answer to its end and makes the error. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const body = parsed(await response.text());
  const message = textOf(body.detail) ?? textOf(body.title) ?? textOf(body.error) ??
    textOf(body.message) ?? `The API answered ${response.status}`;
  const header = response.headers.get("retry-after");
  return new ApiError({
    status: response.status,
    code: textOf(body.code) ?? "",
    message,
    hint: textOf(body.hint),
    pointer: textOf(body.pointer),
    details: isObject(body.details) ? body.details : {},
    requestId: response.headers.get("x-request-id"),
    retryAfter: header !== null && /^\d+$/.test(header) ? Number(header) : null,
  });
}

/** Returns the members of a JSON object; none for another text, such as a proxy's page. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
