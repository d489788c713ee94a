/**
 * Foreign keys beside deletes at the same time (definitions 7): whichever comes first, no record is left that names one
 * that is gone, and whoever came too late is told 400.
 */
import { assert, assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Ask, isRecord, withDefinitions } from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";
import { withInstances } from "../support/instances.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const ADMINS = `{ access: { roles: ["admin"] } }`;

const feature = (name: string, columns: string, rest: string, imports = "") =>
  `import { feature, q } from "quickback";
${imports}
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), name: q.text(), ${columns} },
  guards: false,
  read: ${ADMINS}, create: ${ADMINS}, update: ${ADMINS}, ${rest}
});
`;

const filesWith = (generateId: string, upsert: string) => ({
  "quickback/quickback.config.ts": `export default {
  name: "tree",
  contract: { changeset: true },
  providers: { database: { name: "libsql", generateId: ${generateId} } },
};
`,
  "quickback/features/soft/soft.ts": feature("soft", "", `delete: ${ADMINS}, ${upsert}`),
  "quickback/features/hard/hard.ts": feature(
    "hard",
    "",
    `delete: { access: { roles: ["admin"] }, mode: "hard" }, ${upsert}`,
  ),
  "quickback/features/leaves/leaves.ts": feature(
    "leaves",
    `softId: q.text().references(() => soft.id),
    hardId: q.text().references(() => hard.id, { onDelete: "cascade" }),`,
    upsert,
    `import hard from "../hard/hard.ts";\nimport soft from "../soft/soft.ts";\n`,
  ),
});

const OWN_IDS = filesWith("false", `upsert: ${ADMINS},`);
const MADE_IDS = filesWith('"prefixed"', "");

interface Meeting {
  /** A leaf that names no parent yet. */
  readonly leaf: string;
  /** An id that nothing has. */
  readonly free: string;
  readonly naming: Readonly<Record<string, string>>;
}

type Write = (meeting: Meeting) => readonly [path: string, ask: Ask];

const WRITES: Readonly<Record<string, Write>> = {
  POST: ({ naming }) => ["leaves", { body: naming }],
  "POST under a key": ({ naming, free }) => [
    "leaves",
    { body: naming, headers: { "idempotency-key": free } },
  ],
  "POST batch": ({ naming }) => ["leaves/batch", { body: { records: [naming, naming] } }],
  PATCH: ({ leaf, naming }) => [`leaves/${leaf}`, { method: "PATCH", body: naming }],
  "PATCH batch": ({ leaf, naming }) => [
    "leaves/batch",
    { method: "PATCH", body: { records: [{ id: leaf, ...naming }] } },
  ],
  changeset: ({ naming }) => [
    "changeset",
    { body: { operations: [{ op: "create", resource: "leaves", data: naming }] } },
  ],
};

const PUTS: Readonly<Record<string, Write>> = {
  PUT: ({ free, naming }) => [`leaves/${free}`, { method: "PUT", body: naming }],
  "PUT over a record": ({ leaf, naming }) => [`leaves/${leaf}`, { method: "PUT", body: naming }],
  "PUT batch": ({ free, naming }) => [
    "leaves/batch",
    { method: "PUT", body: { records: [{ id: free, ...naming }] } },
  ],
};

/** Three writes of each kind on either side of the delete. */
const AT_ONCE = 6;

async function made(api: ApiUnderTest, path: string, putAs: string | null): Promise<string> {
  const answer = putAs === null
    ? await api.ask(path, { as: admin, body: {} })
    : await api.ask(`${path}/${putAs}`, { as: admin, method: "PUT", body: {} });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

/** Codes of what a write was refused with, in the answer or in its items; none: it was done. */
function refusals(status: number, body: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (status !== 207) return status < 300 ? [] : [body["code"]];
  const items = Array.isArray(body["errors"]) ? body["errors"] : [];
  return items.map((item: unknown) =>
    isRecord(item) && isRecord(item["error"]) ? item["error"]["code"] : item
  );
}

async function meet(
  api: ApiUnderTest,
  { name, write, mode, own }: {
    readonly name: string;
    readonly write: Write;
    readonly mode: "soft" | "hard";
    readonly own: boolean;
  },
): Promise<void> {
  const tag = `${name.replaceAll(" ", "_")}_${mode}`;
  const parent = await made(api, mode, own ? tag : null);
  const leaves: string[] = [];
  for (let at = 0; at < AT_ONCE; at += 1) {
    leaves.push(await made(api, "leaves", own ? `${tag}_${at}` : null));
  }
  const writes = leaves.map((leaf, at) => async () => {
    const [path, ask] = write({
      leaf,
      free: `${tag}_free_${at}`,
      naming: { [`${mode}Id`]: parent },
    });
    const { status, body, text } = await api.ask(path, { as: admin, ...ask });
    for (const code of refusals(status, body)) {
      assertEquals(code, "VALIDATION_ERROR", `${name}: ${text}`);
    }
  });
  const remove = async () => {
    const { status, text } = await api.ask(`${mode}/${parent}`, { as: admin, method: "DELETE" });
    assertEquals(status, 200, text);
  };
  const [before, after] = [writes.slice(0, AT_ONCE / 2), writes.slice(AT_ONCE / 2)];
  await Promise.all([...before, remove, ...after].map((run) => run()));
  const left = await api.ask(`leaves?${mode}Id=${parent}`, { as: admin });
  assertEquals(left.body["data"], [], `${name} left what names a deleted record`);
}

for (const driver of DRIVERS) {
  for (const [files, writes, own] of [[MADE_IDS, WRITES, false], [OWN_IDS, PUTS, true]] as const) {
    const names = Object.keys(writes).join(", ");
    Deno.test(`${names} beside a delete leave no orphan and are refused as 400 (${driver.name})`, () =>
      withDefinitions(files, async (api) => {
        for (const [name, write] of Object.entries(writes)) {
          for (const mode of ["soft", "hard"] as const) await meet(api, { name, write, mode, own });
        }
      }, { driver }));
  }
}

for (const database of ["file", "server"] as const) {
  Deno.test(`creates of one process beside deletes of another leave no orphan (${database})`, () => {
    const validation = validate(MADE_IDS);
    assert(validation.ok);
    const options = { project: validation.model, database, redis: false };
    return withInstances(options, async (instances) => {
      const [one, other] = [await instances.start(), await instances.start()];
      const send = async (from: typeof one, path: string, method: string, body?: unknown) => {
        const response = await from.fetch(`/api/v1/${path}`, {
          method,
          as: admin,
          headers: { "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: await response.json() };
      };
      for (const mode of ["soft", "hard"]) {
        for (let round = 0; round < 8; round += 1) {
          const parent = (await send(one, mode, "POST", {})).body.id;
          const creates = Array.from(
            { length: AT_ONCE },
            () => send(one, "leaves", "POST", { [`${mode}Id`]: parent }),
          );
          const removed = send(other, `${mode}/${parent}`, "DELETE");
          for (const { status, body } of await Promise.all(creates)) {
            assert(status === 201 || body.code === "VALIDATION_ERROR", JSON.stringify(body));
          }
          assertEquals((await removed).status, 200);
          const left = await send(one, `leaves?${mode}Id=${parent}`, "GET");
          assertEquals(left.body.data, []);
        }
      }
    });
  });
}
