/** The table of docs/security.md is what the records of credentials say. */
import { assertEquals } from "@std/assert";
import type { CredentialKind } from "../../../shared/accounts/credentials/credential.ts";
import { CREDENTIALS } from "../../../shared/accounts/credentials/credentials.ts";
import { type AccountEvent, EVENT_NAMES } from "../../../shared/accounts/credentials/events.ts";
import { readPage } from "../../support/pages.ts";

const KINDS = Object.keys(CREDENTIALS).filter((kind): kind is CredentialKind =>
  Object.hasOwn(CREDENTIALS, kind)
);
const EVENTS = Object.keys(EVENT_NAMES).filter((event): event is AccountEvent =>
  Object.hasOwn(EVENT_NAMES, event)
);

function cellOf(kind: CredentialKind, event: AccountEvent): string {
  const answer = CREDENTIALS[kind].on[event];
  if (typeof answer !== "string") return "ends" in answer ? "ends" : "less";
  return { stays: "", refused: "refused", itself: "it" }[answer];
}

/** Two tables, because a line holds no more. */
const PARTS = [EVENTS.slice(0, 6), EVENTS.slice(6)];

Deno.test("docs/security.md shows what each event ends", async () => {
  const page = await readPage("docs/security.md");
  const [, section = ""] = page.split("\n## What ends what\n");
  const rows = section.split("\n## ")[0]?.split("\n").filter((line) => line.startsWith("|")) ?? [];
  const cells = rows.filter((row) => !row.startsWith("| --"))
    .map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
  const wanted = PARTS.flatMap((events) => [
    ["", ...events.map((event) => EVENT_NAMES[event])],
    ...KINDS.map((kind) => [CREDENTIALS[kind].name, ...events.map((event) => cellOf(kind, event))]),
  ]);
  assertEquals(cells, wanted, "Make the tables anew from shared/accounts/credentials");
});
