/** A remembered token is as good as a verified one, and for no second longer. */
import { assertEquals } from "@std/assert";
import { UnsecuredJWT } from "jose";
import { ANONYMOUS } from "../../../shared/model/principal.ts";
import {
  rememberingTokens,
  TOKENS_REMEMBERED_MAX,
  type TokenVerdict,
} from "../../../shared/runtime/layers/1-authentication/bearer_token.ts";

const tokenOf = (sub: string, exp = 100) => new UnsecuredJWT({ sub, exp }).encode();
const GOOD: TokenVerdict = { kind: "principal", principal: ANONYMOUS };
const BAD: TokenVerdict = { kind: "refused", code: "AUTH_EXPIRED" };

function counted(verdict: (token: string) => TokenVerdict) {
  const state = { now: 0, asked: 0 };
  const verify = rememberingTokens((token) => {
    state.asked += 1;
    return Promise.resolve(verdict(token));
  }, { now: () => state.now });
  return { state, verify };
}

Deno.test("a good token is verified once, until it expires", async () => {
  const { state, verify } = counted(() => state.now < 100_000 ? GOOD : BAD);
  const token = tokenOf("user");
  assertEquals([await verify(token), await verify(token), state.asked], [GOOD, GOOD, 1]);
  state.now = 99_999;
  assertEquals([await verify(token), state.asked], [GOOD, 1]);
  state.now = 100_000;
  assertEquals([await verify(token), state.asked], [BAD, 2]);
});

Deno.test("a refused token and a very long one are verified every time", async () => {
  const { state, verify } = counted((token) => token === "bad" ? BAD : GOOD);
  for (const token of ["bad", tokenOf("x".repeat(4000))]) {
    const before = state.asked;
    await verify(token);
    await verify(token);
    assertEquals(state.asked - before, 2);
  }
});

Deno.test("no more than a bounded number is remembered, the latest ones", async () => {
  const { state, verify } = counted(() => GOOD);
  for (let at = 0; at <= TOKENS_REMEMBERED_MAX; at += 1) await verify(tokenOf(`user_${at}`));
  const before = state.asked;
  await verify(tokenOf("user_1"));
  assertEquals(state.asked, before);
  await verify(tokenOf("user_0"));
  assertEquals(state.asked, before + 1);
});
