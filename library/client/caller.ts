/** Sends calls below one base and reads their answers. */
import type { FileAddress } from "./file_client.ts";
import { queryText } from "./query_text.ts";
import type { Call, CallOptions, Send } from "./transport.ts";

export class Caller {
  constructor(private readonly send: Send, private readonly base: string) {}

  /** Returns the body. Its type is that of the API's description. */
  async json<T>(call: Call, options?: CallOptions): Promise<T> {
    const response = await this.answer(call, options);
    const answer: T = await response.json();
    return answer;
  }

  answer({ path, ...call }: Call, options?: CallOptions): Promise<Response> {
    return this.send({ ...call, path: this.base + path }, options);
  }

  /** Sends bytes to a URL that needs no further credentials. */
  async sendBytes({ url, method, headers }: FileAddress, body: Blob, options: CallOptions) {
    const call = { method, path: url, body, headers, isForeign: true, isUnkeyed: true };
    const response = await this.send({ ...call, accept: "*/*" }, options);
    await response.body?.cancel();
  }

  /** Returns the answer of a write that may run an action. */
  async write<T>(call: Call, options?: CallOptions): Promise<T> {
    return await answerIn(await this.answer(call, options));
  }

  async action<T>(path: string, method: string, { body, options }: {
    readonly body: unknown;
    readonly options: CallOptions & { readonly dryRun?: boolean };
  }): Promise<T> {
    const { dryRun, ...callOptions } = options;
    const flag = dryRun === true ? { dryRun } : {};
    const call = method === "GET"
      ? { method, path: path + queryText({ ...Object(body), ...flag }) }
      : { method, path: path + queryText(flag), body };
    return await this.write(call, callOptions);
  }
}

/** Reads JSON. A stream or a file is returned as the response. */
async function answerIn<T>(response: Response): Promise<T> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const answer: T = isJson ? await response.json() : await Promise.resolve<unknown>(response);
  return answer;
}
