/** The error that ends a request to the build service early; answered in one place as a problem document (contract 2.7). */
import type { JsonValue } from "../model/table.ts";
import type { AnswerCode } from "./response/hints.ts";

interface ServiceRefusalOptions {
  readonly detail?: string;
  /** A JSON pointer into the body. */
  readonly pointer?: string;
  /** A better one than the code has. */
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the document, such as the `errors` of a failed compile. */
  readonly members?: Readonly<Record<string, JsonValue>>;
}

export class ServiceRefusal extends Error {
  override readonly name = "ServiceRefusal";
  readonly code: AnswerCode;
  readonly options: ServiceRefusalOptions;

  constructor(code: AnswerCode, options: ServiceRefusalOptions = {}) {
    super(code);
    this.code = code;
    this.options = options;
  }
}
