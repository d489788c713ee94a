/** Accounts of tests, made by sign-up, for routes that need a session's cookie. */
import type { ApiShape } from "../client/mod.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "../../shared/contract/mod.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import { BASE_URL, type CallerHeaders, type TestCaller } from "./callers.ts";

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** A caller with an account and its session's cookie. */
export interface SignedUp<Api extends ApiShape = ApiShape> extends TestCaller<Api> {
  readonly userId: string;
}

/** Signs up and returns the account's id and the headers of its requests. */
export async function signedUp(
  nobody: Pick<TestCaller, "post">,
  contract: ContractVersion,
  { email = "test@example.com", name = "Test", password = "a password of a test" }: Partial<
    NewAccount
  >,
): Promise<{ readonly userId: string; readonly headers: CallerHeaders }> {
  const path = `${CONTRACT_VERSIONS[contract].authBase}/sign-up/email`;
  const answer = await nobody.post(path, { email, name, password });
  const text = await answer.text();
  const body: unknown = answer.ok ? JSON.parse(text) : null;
  const user = isJsonObject(body) ? body["user"] : null;
  const id = isJsonObject(user) ? user["id"] : null;
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  if (typeof id !== "string" || cookies.length === 0) {
    throw new Error(
      `Signing up as ${email} gave no session (${answer.status} ${text}): the project may not let strangers in, or wants ` +
        "the address confirmed; as({ userId, … }) needs no account",
    );
  }
  // The headers are those of a page of the API.
  return { userId: id, headers: { cookie: cookies.join("; "), origin: BASE_URL } };
}
