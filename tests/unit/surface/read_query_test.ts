import { assertEquals } from "@std/assert";
import { ANONYMOUS, type Principal } from "../../../shared/model/principal.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { type ListQuery, queryPlanOf, type QueryResult } from "../../../shared/surface/query.ts";
import { readGetQuery, readListQuery, readWriteQuery } from "../../../shared/surface/read_query.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import { caller, customers, model, operationNamed } from "../../support/sample_model.ts";

const V2: ProjectModel = { ...model, contract: "v2" };

interface Asked {
  readonly operation?: string;
  readonly by?: Principal;
  readonly project?: ProjectModel;
}

function ask(query: string, asked: Asked = {}): QueryResult<ListQuery> {
  const { operation = "listTickets", by = caller("agent"), project = model } = asked;
  const plan = queryPlanOf(operationNamed(operation, project), project);
  return readListQuery(plan, { parameters: new URLSearchParams(query), principal: by });
}

function accepted(query: string, asked: Asked = {}): ListQuery {
  const result = ask(query, asked);
  if (result.kind === "refused") throw new Error(`${query}: ${result.message}`);
  return result.query;
}

function refusal(query: string, asked: Asked = {}): readonly [string, string] | null {
  const result = ask(query, asked);
  return result.kind === "refused" ? [result.parameter, result.message] : null;
}

Deno.test("a list without parameters has the contract's defaults", () => {
  assertEquals(accepted("", { operation: "viewTickets_Board" }), {
    limit: 50,
    offset: 0,
    cursor: null,
    sort: [{ column: "priority", descending: true }],
    filters: [],
    where: null,
    columns: ["id", "subject", "status", "phone"],
    withTotal: false,
    search: null,
    include: null,
    scope: null,
    deleted: null,
    byRank: false,
    near: null,
  });
});

Deno.test("limit is clamped, and is a whole decimal number", () => {
  const rows: readonly (readonly [string, number])[] = [
    ["1", 1],
    ["100", 100],
    ["0", 1],
    ["-5", 1],
    ["101", 100],
    ["007", 7],
    ["99999999999999999999999", 100],
  ];
  for (const [text, limit] of rows) assertEquals(accepted(`limit=${text}`).limit, limit, text);
  for (const text of ["", "abc", "1.5", "1e1", "0x10", "+5", " 5", "٥", "5;", "--5"]) {
    assertEquals(refusal(`limit=${encodeURIComponent(text)}`), [
      "limit",
      'Parameter "limit" needs a whole number from 1 to 100',
    ], text);
  }
});

Deno.test("offset is not negative and stays a safe integer", () => {
  assertEquals(accepted("offset=0").offset, 0);
  assertEquals(accepted("offset=9007199254740991").offset, 9007199254740991);
  for (const text of ["-1", "", "x", "1.0", "9007199254740993", "1e3"]) {
    assertEquals(refusal(`offset=${text}`)?.[0], "offset", text);
  }
});

Deno.test("sort reads several fields, and order turns a single plain one or the default", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["sort=subject", "subject"],
    ["sort=-subject", "-subject"],
    ["sort=status,-dueAt", "status,-dueAt"],
    ["sort=subject&order=desc", "-subject"],
    ["order=asc&sort=subject", "subject"],
    ["sort=-subject&order=asc", "-subject"],
    ["sort=status,dueAt&order=desc", "status,dueAt"],
    ["order=asc", "createdAt"],
    ["order=desc", "-createdAt"],
    ["", "-createdAt"],
  ];
  for (const [query, expected] of rows) {
    const sort = accepted(query).sort
      .map(({ column, descending }) => `${descending ? "-" : ""}${column}`).join(",");
    assertEquals(sort, expected, query);
  }
});

Deno.test("sort and order refuse what they do not know", () => {
  assertEquals(refusal("sort=subjekt"), [
    "sort",
    'Cannot sort by "subjekt"; did you mean "subject"?',
  ]);
  const sorts = ["", ",subject", "subject,subject", "subject,-subject", "--subject", "subject%20"];
  for (const sort of [...sorts, "__proto__", "constructor", "customer_label"]) {
    assertEquals(refusal(`sort=${sort}`)?.[0], "sort", sort);
  }
  for (const query of ["order=up", "order=ASC", "order=", "sort=-subject&order=x"]) {
    assertEquals(refusal(query)?.[0], "order", query);
  }
});

Deno.test("a sort names eight fields at most", () => {
  const names = "id,subject,body,status,size,priority,score,urgent";
  assertEquals(accepted(`sort=${names}`).sort.length, 8);
  assertEquals(refusal(`sort=${names},dueAt`), [
    "sort",
    'Parameter "sort" names more than 8 fields',
  ]);
});

Deno.test("a filter's value is coerced to the column's stored form", () => {
  const rows: readonly (readonly [string, string, readonly (string | number)[]])[] = [
    ["subject=a,b", "eq", ["a,b"]],
    ["subject=", "eq", [""]],
    ["status.ne=open", "ne", ["open"]],
    ["status.null=true", "null", [1]],
    ["priority.null=false", "null", [0]],
    ["status.in=open,closed", "in", ["open", "closed"]],
    ["size=m", "eq", ["m"]],
    ["priority=3", "eq", [3]],
    ["priority=-0", "eq", [0]],
    ["priority.gt=-12", "gt", [-12]],
    ["priority.in=1,2,3", "in", [1, 2, 3]],
    ["score.lte=1.50", "lte", [1.5]],
    ["urgent=true", "eq", [1]],
    ["urgent.ne=false", "ne", [0]],
    ["dueAt.gte=2026-01-31", "gte", ["2026-01-31T00:00:00.000Z"]],
    ["dueAt.lt=2026-01-31T10:00:00%2B02:00", "lt", ["2026-01-31T08:00:00.000Z"]],
    ["dueAt.like=2026-01", "like", ["2026-01"]],
    ["subject.like=100%25_", "like", ["100%_"]],
    ["link=https://a.example", "eq", ["https://a.example"]],
    ['meta={ "a": [1] }', "eq", ['{"a":[1]}']],
    ["limit.gt=4", "gt", [4]],
    ["revision=2", "eq", [2]],
    ["organizationId.ne=org_2", "ne", ["org_2"]],
    ["createdBy=user_1", "eq", ["user_1"]],
  ];
  for (const [query, operator, values] of rows) {
    const [filter] = accepted(query).filters;
    assertEquals([filter?.operator, filter?.values], [operator, values], query);
    assertEquals(filter?.column, query.split(/[.=]/)[0], query);
  }
});

Deno.test("a malformed filter value names the parameter and the allowed form", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["status=done", "one of open, closed"],
    ["status.gt=zzz", "one of open, closed"],
    ["status.in=open,", "one of open, closed"],
    ["size=Open", "one of s, m"],
    ["priority=", "a whole decimal number"],
    ["priority=1.0", "a whole decimal number"],
    ["priority=0x10", "a whole decimal number"],
    ["priority=1e2", "a whole decimal number"],
    ["priority=9007199254740993", "a whole decimal number"],
    ["priority.in=1,two", "a whole decimal number"],
    ["priority=null", "a whole decimal number"],
    ["score=.5", "a decimal number such as 12.5 or 1e-9"],
    ["score=Infinity", "a decimal number such as 12.5 or 1e-9"],
    [`score=${"9".repeat(400)}`, "a decimal number such as 12.5 or 1e-9"],
    ["urgent=1", "true or false"],
    ["urgent=TRUE", "true or false"],
    ["meta={", "JSON text"],
    ["subject=a%00b", "text without NUL characters"],
    ["subject.like=%00", "text without NUL characters"],
    ["search=%00", "text without NUL characters"],
    ["total=1", "true or false"],
  ];
  for (const [query, form] of rows) {
    const [name = ""] = query.split("=");
    assertEquals(refusal(query), [name, `Parameter "${name}" needs ${form}`], query);
  }
  for (const text of ["2026-02-30", "2026-01-31T10:00:00", "yesterday", "0", ""]) {
    assertEquals(refusal(`dueAt.gt=${text}`)?.[0], "dueAt.gt", text);
  }
});

Deno.test("unknown parameters, operators and forms of arrays are refused with the nearest known name", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["stauts=open", 'Unknown parameter "stauts"; did you mean "status"?'],
    [
      "status.neq=open",
      'Unknown operator "neq" on "status"; it takes ne, gt, gte, lt, lte, like, ilike, in, nin, null',
    ],
    [
      "status.eq=open",
      'Unknown operator "eq" on "status"; it takes ne, gt, gte, lt, lte, like, ilike, in, nin, null',
    ],
    ["status[]=open", 'Unknown parameter "status[]"; did you mean "status"?'],
    [
      "urgent.like=t",
      'Unknown operator "like" on "urgent"; it takes ne, gt, gte, lt, lte, in, nin, null',
    ],
    [
      "priority.like=1",
      'Unknown operator "like" on "priority"; it takes ne, gt, gte, lt, lte, in, nin, null',
    ],
    ["__proto__=1", 'Unknown parameter "__proto__"'],
    ["constructor=1", 'Unknown parameter "constructor"'],
    ["toString.in=1", 'Unknown parameter "toString.in"'],
    ["=1", 'Unknown parameter ""'],
    [`${"x".repeat(70)}=1`, `Unknown parameter "${"x".repeat(64)}…"`],
    ["fields[createdBy]=id", 'Unknown parameter "fields[createdBy]"'],
  ];
  for (const [query, message] of rows) assertEquals(refusal(query)?.[1], message, query);
});

Deno.test("a repeated parameter is refused by name", () => {
  for (const query of ["status=open&status=open", "limit=1&limit=2", "fields=id&fields=id"]) {
    const [name = ""] = query.split("=");
    assertEquals(refusal(query), [name, `Parameter "${name}" is given more than once`], query);
  }
});

Deno.test("a view's allow-lists bind filter, sort and search", () => {
  const board = { operation: "viewTickets_Board" };
  assertEquals(accepted("status=open&sort=subject&search=x", board).search, {
    columns: ["subject"],
    text: "x",
    isFullText: false,
  });
  assertEquals(refusal("subject=x", board)?.[0], "subject");
  assertEquals(refusal("sort=status", board)?.[0], "sort");
  assertEquals(refusal("priority.gt=1", board)?.[0], "priority.gt");
});

Deno.test("fields narrows to known columns in output order", () => {
  const board = { operation: "viewTickets_Board" };
  assertEquals(accepted("fields=deletedBy,id,subject,id").columns, ["id", "subject", "deletedBy"]);
  assertEquals(accepted("fields=status,id", board).columns, ["id", "status"]);
  assertEquals(accepted("fields=priority,id", board).columns, ["id"]);
});

Deno.test("unknown fields are ignored in v1 and refused in v2", () => {
  assertEquals(accepted("fields=id,nope,__proto__").columns, ["id"]);
  assertEquals(accepted("fields=nope").columns, accepted("").columns);
  assertEquals(accepted("fields=").columns, accepted("").columns);
  const v2 = { project: V2 };
  assertEquals(refusal("fields=id,subjct", v2), [
    "fields",
    'Unknown field "subjct"; did you mean "subject"?',
  ]);
  for (const query of ["fields=", "fields=id,", "fields=__proto__", "fields=customer_label"]) {
    assertEquals(refusal(query, v2)?.[0], "fields", query);
  }
});

Deno.test("a masked column cannot be asked by without its query roles", () => {
  for (const query of ["phone=1", "phone.like=1", "phone.in=1,2", "phone.gt=1", "sort=-phone"]) {
    const [name = ""] = query.split("=");
    assertEquals(
      refusal(query),
      [name, 'Column "phone" is masked for this caller and cannot be asked by'],
      query,
    );
    assertEquals(refusal(query, { by: caller("admin") }), null, query);
  }
});

Deno.test("search and a default sort pass over columns masked for the caller", () => {
  const calls = { operation: "viewTickets_Calls" };
  const admin = { by: caller("admin") };
  assertEquals(accepted("search=x").search?.columns, ["subject", "body"]);
  assertEquals(accepted("search=x", admin).search?.columns, ["subject", "body", "phone"]);
  assertEquals(accepted("", calls).sort, [{ column: "subject", descending: true }]);
  assertEquals(accepted("", { ...calls, ...admin }).sort, [
    { column: "phone", descending: false },
    { column: "subject", descending: true },
  ]);
  assertEquals(accepted("order=desc", { ...calls, ...admin }).sort, [
    { column: "phone", descending: true },
    { column: "subject", descending: false },
  ]);
  assertEquals(accepted("search=").search, null);
});

Deno.test("organizationId is scope and filter at once on PUBLIC tenant resources", () => {
  const query = accepted("organizationId=org_1", { operation: "listArticles", by: ANONYMOUS });
  assertEquals(query.scope, { organizationId: "org_1" });
  assertEquals(query.filters, [{ column: "organizationId", operator: "eq", values: ["org_1"] }]);
  assertEquals(refusal("organizationId=", { operation: "listArticles" })?.[0], "organizationId");
  assertEquals(accepted("organizationId=org_2").scope, { organizationId: "org_2" });
});

Deno.test("single reads and writes know their own few parameters", () => {
  const get = queryPlanOf(operationNamed("getArticles"), model);
  const create = queryPlanOf(operationNamed("createTickets"), model);
  const principal = ANONYMOUS;
  const read = (query: string) =>
    readGetQuery(get, { parameters: new URLSearchParams(query), principal });
  const write = (query: string) =>
    readWriteQuery(create, { parameters: new URLSearchParams(query), principal });
  assertEquals(read("fields=title&organizationId=org_1"), {
    kind: "query",
    query: { columns: ["title"], include: null, scope: { organizationId: "org_1" } },
  });
  assertEquals(read("limit=1").kind, "refused");
  assertEquals(write(""), { kind: "query", query: { scope: null } });
  assertEquals(write("organizationId=org_1").kind, "refused");
});

Deno.test("a page begins at an offset or at one cursor", () => {
  assertEquals(accepted("starting_after=x").cursor, {
    direction: "after",
    parameter: "starting_after",
    text: "x",
  });
  assertEquals(accepted("ending_before=y").cursor?.direction, "before");
  const rows: readonly (readonly [string, string, string])[] = [
    ["starting_after=x&ending_before=y", "ending_before", "starting_after"],
    ["starting_after=x&offset=0", "starting_after", "offset"],
    ["offset=2&ending_before=y", "ending_before", "offset"],
  ];
  for (const [query, parameter, other] of rows) {
    const message = `Parameters "${parameter}" and "${other}" cannot be given together`;
    assertEquals(refusal(query), [parameter, message], query);
  }
});

Deno.test("include names allowed foreign keys that answer, and their fields go with it", () => {
  const all = accepted("include=customerId").include;
  assertEquals(all?.map(({ column }) => column), ["customerId"]);
  assertEquals(all?.[0]?.fields, customers.columns.map(({ name }) => name));
  assertEquals(
    accepted("fields[customerId]=email,id,id&include=customerId&fields=id,customerId").include,
    [{ column: "customerId", fields: ["id", "email"] }],
  );
  const rows: readonly (readonly [string, string, string])[] = [
    ["include=customer", "include", 'Cannot include "customer"; did you mean "customerId"?'],
    ["include=", "include", 'Cannot include ""'],
    ["include=customerId,createdBy", "include", 'Cannot include "createdBy"'],
    [
      "include=customerId,customerId",
      "include",
      'Parameter "include" names "customerId" more than once',
    ],
    [
      "include=customerId&fields=id",
      "include",
      'Including "customerId" needs it among the "fields" that answer',
    ],
    [
      "fields[customerId]=id",
      "fields[customerId]",
      'Parameter "fields[customerId]" needs "include" to name "customerId"',
    ],
    [
      "include=customerId&fields[customerId]=id,nmae",
      "fields[customerId]",
      'Unknown field "nmae"; did you mean "name"?',
    ],
    ["include=customerId&fields[customerId]=", "fields[customerId]", 'Unknown field ""'],
  ];
  for (const [query, ...expected] of rows) {
    assertEquals(refusal(query), expected, query);
    assertEquals(refusal(query, { project: V2 }), expected, query);
  }
  assertEquals(refusal("include=customerId", { operation: "viewTickets_Calls" })?.[0], "include");
});

Deno.test("a key that is masked for the caller is not included", () => {
  const masked = { customerId: { ...phoneMask, showOwner: false } };
  const owned = { customerId: { ...phoneMask, showOwner: true } };
  const by = (masks: ResourceModel["masks"]): Asked => ({ project: withTickets({ masks }) });
  assertEquals(refusal("include=customerId", by(masked))?.[0], "include");
  assertEquals(refusal("include=customerId", by(owned)), null);
  assertEquals(refusal("include=customerId", { ...by(masked), by: caller("admin") }), null);
});

Deno.test("an aggregation over a column that is masked for the caller is refused", () => {
  const aggregations = [
    { name: "all", fn: "count", column: null },
    { name: "called", fn: "count", column: "phone" },
  ] as const;
  const [board] = tickets.read?.views ?? [];
  if (!tickets.read || !board) throw new Error("The sample has no board");
  const read = { ...tickets.read, views: [{ ...board, aggregations }] };
  const asked = { operation: "viewTickets_Board", project: withTickets({ read }) };
  assertEquals(refusal("", asked), [
    "aggregations.called",
    'Column "phone" is masked for this caller and cannot be aggregated',
  ]);
  assertEquals(refusal("", { ...asked, by: caller("admin") }), null);
});

Deno.test("counts and lengths are capped before SQL sees them", () => {
  const in1000 = Array.from({ length: 1000 }, (_, index) => index % 9).join(",");
  assertEquals(accepted(`priority.in=${in1000}`).filters[0]?.values.length, 1000);
  assertEquals(refusal(`priority.in=${in1000},1`)?.[0], "priority.in");
  assertEquals(refusal(`priority.in=${in1000}&status=open`)?.[0], "status");
  assertEquals(accepted(`subject=${"é".repeat(4096)}`).filters.length, 1);
  assertEquals(refusal(`subject=${"é".repeat(4097)}`)?.[0], "subject");
  assertEquals(refusal(`search=${"x".repeat(9000)}`)?.[0], "search");
});

const tickets = operationNamed("listTickets").resource;
const phoneMask = {
  type: "phone",
  showRoles: ["admin"],
  queryRoles: [],
  automatic: false,
} as const;

function withTickets(rest: Partial<ResourceModel>): ProjectModel {
  const resources = model.resources.map((resource) =>
    resource.name === "tickets" ? { ...resource, ...rest } : resource
  );
  return { ...model, resources };
}
