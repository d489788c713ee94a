import { assert, assertEquals } from "@std/assert";
import { codeFrame, PLAIN_STYLE } from "../../../shared/compiler/diagnostics/code_frame.ts";
import type { Diagnostic } from "../../../shared/compiler/diagnostics/diagnostic.ts";

const FINDING: Diagnostic = {
  code: "UNKNOWN_KEY",
  severity: "error",
  message: 'Unknown key "raed" in feature()',
  place: { file: "quickback/features/jobs/jobs.ts", line: 10, column: 3, length: 4 },
  hint: 'Did you mean "read"?',
};

const TEXT = [...Array(8).fill("//"), "  columns: {},", "  raed: {},", "});"].join("\n");

Deno.test("codeFrame() shows the line between its neighbours, underlined, with code and hint", () => {
  assertEquals(
    codeFrame(FINDING, TEXT),
    [
      'error[UNKNOWN_KEY] Unknown key "raed" in feature()',
      "   ┌─ quickback/features/jobs/jobs.ts:10:3",
      " 9 │   columns: {},",
      "10 │   raed: {},",
      "   │   ^^^^",
      "11 │ });",
      '   = hint: Did you mean "read"?',
    ].join("\n"),
  );
});

Deno.test("codeFrame() without the file's text is message, place and hint", () => {
  assertEquals(codeFrame({ ...FINDING, hint: null }, null).split("\n").length, 2);
});

Deno.test("codeFrame() marks warnings with the style's own colour", () => {
  const style = { ...PLAIN_STYLE, warning: (text: string) => `<${text}>` };
  const frame = codeFrame({ ...FINDING, severity: "warning" }, TEXT, style);
  assert(frame.startsWith("<warning[UNKNOWN_KEY]>"));
  assert(frame.includes("<^^^^>"));
});

Deno.test("codeFrame() lets no control or bidirectional character through", () => {
  const frame = codeFrame(
    { ...FINDING, place: { ...FINDING.place, line: 1, column: 1 } },
    "\u001b[31mred\u202e\u0007",
  );
  for (const character of "\u001b\u202e\u0007") assert(!frame.includes(character));
});

Deno.test("codeFrame() cuts a long line around its column", () => {
  const place = { ...FINDING.place, line: 1, column: 5001, length: 3 };
  const frame = codeFrame({ ...FINDING, place }, "a".repeat(5000) + "bad" + "c".repeat(5000));
  const [, , line = "", carets = ""] = frame.split("\n");
  assert(line.length < 200);
  assertEquals(line.slice(carets.indexOf("^"), carets.indexOf("^") + 3), "bad");
});
