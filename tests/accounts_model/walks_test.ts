/** Whoever never read the mail of an address reaches nothing of it, in whatever order account acts are done (docs/proof.md, "walks"). */
import { assertEquals } from "@std/assert";
import { ACTS } from "./acts/mod.ts";
import { NAMED, unnamedRoutes } from "./acts/any_route.ts";
import { PLANTS } from "./plants.ts";
import { withWalkedApi } from "./walked_api.ts";
import { withWalkedOutput } from "./walked_output.ts";
import { reportOf, walk } from "./walk.ts";

const WALKS = 1000;
const SEED = 33;

/** Credentials that somebody must have made, and that must have been tried after each walk that made one. */
const CREDENTIALS = [
  "session",
  "key",
  "bearer",
  "scope token",
  "grant",
  "push registration",
  "webhook endpoint",
  "stream",
  "trusted device",
];

Deno.test(`${WALKS} walks through the accounts break nothing that must hold`, async () => {
  await withWalkedOutput({ name: "walks" }, (output) =>
    withWalkedApi(output, async (api) => {
      const walked = await walk(api, { count: WALKS, seed: SEED });
      assertEquals(walked.broken, null, reportOf(walked, SEED));
      // Walks that do nothing break nothing.
      const must = [
        ...Object.keys(ACTS).map((name) => `act: ${name}`),
        ...CREDENTIALS.flatMap((kind) => [`makes: ${kind}`, `reaches: ${kind}`, `tries: ${kind}`]),
        ...unnamedRoutes(api).map(({ path }) => `asks: ${path}`),
        "event: a taking over",
        "event: a reset",
        "event: a removal",
        "tries: password",
      ];
      assertEquals(must.filter((name) => !walked.done.has(name)), []);
      // A route that other acts are said to take is one of the project's.
      const paths = new Set(api.routes.map(({ path }) => path));
      assertEquals([...NAMED].filter((path) => !paths.has(path)), []);
    }));
});

Deno.test("the page on security says how many walks and planted faults there are", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/security.md", import.meta.url));
  const said = page.replace(/\s+/g, " ");
  const walks = /([\d,]+) walks look for a way around it/.exec(said)?.[1] ?? "";
  const faults = /find each of (\d+) planted faults/.exec(said)?.[1];
  assertEquals(Number(walks.replace(",", "")), WALKS);
  assertEquals(Number(faults), PLANTS.length);
});
