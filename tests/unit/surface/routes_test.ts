/** The list of routes, and what is computed from it: the same routes stand in the description and in the manifests. */
import { assertEquals } from "@std/assert";
import { openApiDocument } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { emitOperationsManifest } from "../../../shared/compiler/phases/6-emit/operations_manifest.ts";
import { conformanceEntries } from "../../../shared/oracle/manifest.ts";
import {
  describedQuery,
  type QueryRoute,
  readRouteQuery,
  routesOf,
  systemRoutesOf,
} from "../../../shared/surface/mod.ts";
import { isRecord } from "../../support/api.ts";
import { describedProjects } from "../../support/described_projects.ts";

const PROJECTS = Object.entries(await describedProjects());

function idsIn(value: unknown, member: string): readonly string[] {
  if (!isRecord(value)) return [];
  const own = value[member];
  if (typeof own === "string") return [own];
  return Object.values(value).flatMap((one) => idsIn(one, member));
}

for (const [name, model] of PROJECTS) {
  const listed = routesOf(model);
  const ids = listed.map(({ id }) => id).sort();

  Deno.test(`${name}: no two routes share an id, or a method and a path`, () => {
    assertEquals(new Set(ids).size, ids.length);
    const places = listed.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`);
    assertEquals(new Set(places).size, places.length);
  });

  Deno.test(`${name}: the description and both manifests have exactly the routes of the list`, () => {
    assertEquals([...idsIn(openApiDocument(model)["paths"], "operationId")].sort(), ids);
    const entries: readonly { readonly operationId: string; readonly method: string | null }[] =
      JSON.parse(emitOperationsManifest(model));
    const routed = entries.filter(({ method }) => method !== null);
    assertEquals(routed.map(({ operationId }) => operationId), ids);
    // An address for a file is asked for with two methods.
    const judged = conformanceEntries(model).map(({ operationId }) => operationId)
      .filter((id) => !/^presignFile.*_(?:GET|PUT)$/.test(id));
    assertEquals([...new Set(judged)].sort(), ids);
  });

  Deno.test(`${name}: a route takes its own parameters and refuses any other`, () => {
    for (const route of systemRoutesOf(model).filter(({ strays }) => strays === "refused")) {
      assertEquals(faultIn(route, ""), null, route.id);
      assertEquals(faultIn(route, "?strange=1"), 'Unknown parameter "strange"', route.id);
      for (const { in: place, name } of route.parameters) {
        if (place !== "query") continue;
        const twice = `?${String(name)}=1&${String(name)}=1`;
        assertEquals(
          faultIn(route, twice),
          `Parameter "${String(name)}" is given more than once`,
          route.id,
        );
      }
    }
  });
}

/** What is wrong with the query; null: nothing. */
function faultIn(route: QueryRoute, search: string): string | null {
  const query = readRouteQuery(route, search);
  return "message" in query ? query.message : null;
}

const PAGED: QueryRoute = {
  strays: "refused",
  query: describedQuery([
    { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
    { name: "offset", in: "query", schema: { type: "integer", minimum: 0 } },
    { name: "starting_after", in: "query", schema: { type: "string" } },
    { name: "ending_before", in: "query", schema: { type: "string" } },
    { name: "status", in: "query", schema: { type: "string", enum: ["open", "done"] } },
    { name: "unit", in: "query", required: true, schema: { type: "string", pattern: "^[a-z]+$" } },
  ]),
};

const FAULTS: readonly (readonly [search: string, fault: string])[] = [
  ["", 'Parameter "unit" is needed'],
  ["unit=9", 'Parameter "unit" does not match ^[a-z]+$'],
  ["unit=a&limit=x", 'Parameter "limit" needs an integer'],
  ["unit=a&limit=1.5", 'Parameter "limit" needs an integer'],
  ["unit=a&offset=-1", 'Parameter "offset" needs an integer of at least 0'],
  ["unit=a&status=shut", 'Parameter "status" needs one of open, done'],
  [
    "unit=a&starting_after=x&ending_before=y",
    'Parameter "starting_after" is not for use with "ending_before"',
  ],
  ["unit=a&ending_before=y&offset=0", 'Parameter "ending_before" is not for use with "offset"'],
];

for (const [search, fault] of FAULTS) {
  Deno.test(`readRouteQuery() refuses "${search}"`, () => {
    assertEquals(faultIn(PAGED, search), fault);
  });
}

Deno.test("readRouteQuery() leaves out what the record does not name, where it ignores strays", () => {
  const query = readRouteQuery({ ...PAGED, strays: "ignored" }, "?strange=1&strange=2&unit=a");
  assertEquals("values" in query && [...query.values], [["unit", "a"]]);
});

Deno.test("readRouteQuery() moves a limit outside of its range to the nearer end", () => {
  const limits = ["0", "-5", "101", "9".repeat(40)].map((limit) => {
    const query = readRouteQuery(PAGED, `?unit=a&limit=${limit}`);
    return "message" in query ? query.message : query.limit;
  });
  assertEquals(limits, [1, 1, 100, 100]);
});
