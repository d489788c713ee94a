/** The one door (contract 1.3): asked of the sources, that no other file lets anybody in, or asks who they are. */
import { assertEquals } from "@std/assert";
import { sourcesBelow } from "./source_tree.ts";

const GATE = "shared/runtime/gate.ts";

/** Says or does what the gate alone may. */
const RESERVED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["refuses with AUTH_MISSING", /(?:refuse|new Refusal)\(\s*"AUTH_MISSING"/],
  ["identifies a caller", /\bidentify\(/],
  ["takes a token of a caller's limit", /\blimitRate\((?!\s*\n?\s*request: )/],
  ["makes an Admitted", /\bnew AdmittedRequest\(/],
  ["claims an Admitted", /\bas (?:unknown as )?Admitted\b/],
];

Deno.test("only the gate identifies callers, takes their tokens and lets them in", () => {
  const found = sourcesBelow("shared/runtime", "library/platform", "generated-templates").flatMap((
    file,
  ) =>
    RESERVED.filter(([, pattern]) => pattern.test(file.text))
      .map(([what]) => `${file.path} ${what}`)
  );
  assertEquals(
    found,
    RESERVED.filter(([what]) => what !== "claims an Admitted")
      .map(([what]) => `${GATE} ${what}`),
  );
});

Deno.test("the class behind Admitted leaves the gate as a type alone", () => {
  const [gate] = sourcesBelow("shared/runtime").filter(({ path }) => path === GATE);
  assertEquals(/export (?:default )?(?:abstract )?class/.test(gate?.text ?? ""), false);
  assertEquals(/export \{[^}]*AdmittedRequest/.test(gate?.text ?? ""), false);
});
