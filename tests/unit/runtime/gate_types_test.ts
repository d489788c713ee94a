/** What the type checker keeps out: a route without a gate, and a request that the gate did not let in (contract 1.3). */
import { assertEquals } from "@std/assert";
import type { Admitted, Endpoint } from "../../../shared/runtime/gate.ts";

const answer = () => Promise.resolve(new Response());

Deno.test("a route says whom it lets in", () => {
  // @ts-expect-error: it has no gate.
  const open: Endpoint = { id: "open", method: "GET", path: "/open", handle: answer };
  // @ts-expect-error: its gate does not say who.
  const vague: Endpoint = { ...open, gate: { rate: null, hasMiddlewares: false } };
  const told: Endpoint = { ...open, gate: { who: "caller", rate: null, hasMiddlewares: false } };
  assertEquals([vague.gate.rate, told.gate.who], [null, "caller"]);
});

Deno.test("a copy of what was let in was not let in", () => {
  const looksAlike = (request: Admitted): Admitted => {
    // @ts-expect-error: the class behind the type has a private field.
    return { ...request };
  };
  assertEquals(looksAlike.length, 1);
});
