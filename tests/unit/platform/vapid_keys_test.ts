/** The keys of push messages (definitions 8): what an operator may set, and what refuses to start. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readVapidKeys } from "../../../library/platform/mod.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly production?: boolean;
  readonly folder?: string;
}

const read = (
  { variables = {}, baseUrl = "https://api.example.com", production = true, folder = "/nowhere" }:
    Given,
) =>
  readVapidKeys({
    variables: new Map(Object.entries(variables)),
    databaseUrl: `file:${folder}/app.db`,
    settings: { baseUrl, production },
  });

/** A pair as the tools print it. */
async function newPair() {
  return await withTempFolder(async (folder) => {
    const { publicKey, privateKey } = await read({ production: false, folder });
    return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey };
  });
}

Deno.test("in development a pair is made once and kept beside the database", async () => {
  await withTempFolder(async (folder) => {
    const first = await read({ production: false, folder });
    assertEquals(await read({ production: false, folder }), first);
    assertEquals([first.publicKey.length, first.privateKey.length], [87, 43]);
    const { mode } = await Deno.stat(`${folder}/vapid_keys.json`);
    assertEquals((mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("a pair that is set is taken, padded or not; its subject is the API's origin or what is set", async () => {
  const variables = await newPair();
  const keys = await read({ variables });
  assertEquals(keys.publicKey, variables.VAPID_PUBLIC_KEY);
  assertEquals(keys.subject, "https://api.example.com");
  const padded = { ...variables, VAPID_PRIVATE_KEY: `${variables.VAPID_PRIVATE_KEY}=` };
  assertEquals(await read({ variables: padded }), keys);
  const VAPID_SUBJECT = "mailto:ops@example.com";
  assertEquals((await read({ variables: { ...variables, VAPID_SUBJECT } })).subject, VAPID_SUBJECT);
});

Deno.test("what cannot sign for push messages refuses to start", async () => {
  const [pair, other] = [await newPair(), await newPair()];
  const rows: readonly Given[] = [
    {},
    { variables: { VAPID_PUBLIC_KEY: pair.VAPID_PUBLIC_KEY }, production: false },
    { variables: { ...pair, VAPID_PRIVATE_KEY: other.VAPID_PRIVATE_KEY } },
    { variables: { ...pair, VAPID_PRIVATE_KEY: "AAAA" } },
    { variables: { ...pair, VAPID_PUBLIC_KEY: "not base64!" } },
    { variables: { ...pair, VAPID_SUBJECT: "ops@example.com" } },
    { variables: pair, baseUrl: "http://api.example.com" },
  ];
  for (const [at, given] of rows.entries()) {
    const error = await assertRejects(() => read(given));
    assert(error instanceof Error && error.message.startsWith("Cannot start: VAPID_"), `Row ${at}`);
  }
});
