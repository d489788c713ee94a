/** The client's accounts against a running API: signing in, the organization, and a token that is renewed (contract 5). */
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { ApiError, type ClientStorage, createClient } from "../../../library/client/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { withAccountsApi } from "../../support/accounts_api.ts";
import { type ApiUnderTest, BASE_URL } from "../../support/api.ts";
import { projectFiles } from "../../support/sample_files.ts";
import type { Api } from "./notes_api.ts";

const NOTES = new URL("../../compiler/samples/notes/input/", import.meta.url);
const ANN = { name: "Ann", email: "ann@example.com", password: "correct horse battery" };
const HOUR = 60 * 60 * 1000;

interface Sent {
  readonly path: string;
  readonly authorization: string | null;
  readonly cookie: string | null;
}

/** A client of the notes API, what it sent, and the API. */
interface ClientUnderTest {
  readonly client: ReturnType<typeof createClient<Api>>;
  readonly sent: Sent[];
  readonly api: ApiUnderTest;
  /** Holds the answer of the next request at that path back; resolves, when it is there, to what lets it go. */
  holdNext(path: string): Promise<() => void>;
  /** Has the next request at that path fail. */
  failNext(path: string): void;
  /** Another client of the same API. */
  another(storage?: ClientStorage): ReturnType<typeof createClient<Api>>;
}

async function withAccountsClient(
  body: (underTest: ClientUnderTest) => Promise<void>,
  storage?: ClientStorage,
): Promise<void> {
  const validation = validate(await projectFiles(NOTES));
  assert(validation.ok);
  await withAccountsApi(async (api) => {
    const sent: Sent[] = [];
    const failing = new Set<string>();
    const held = new Map<string, (letGo: () => void) => void>();
    const fetch = async (request: Request) => {
      const { headers, url } = request;
      const [authorization, cookie] = [headers.get("authorization"), headers.get("cookie")];
      sent.push({ path: new URL(url).pathname, authorization, cookie });
      headers.set("host", new URL(BASE_URL).host);
      if (failing.delete(new URL(url).pathname)) return new Response("{}", { status: 503 });
      const response = await api.fetch(request, { clientIp: null });
      const hold = held.get(new URL(url).pathname);
      held.delete(new URL(url).pathname);
      if (hold) await new Promise<void>((letGo) => hold(letGo));
      return response;
    };
    const failNext = (path: string) => void failing.add(path);
    const holdNext = (path: string) =>
      new Promise<() => void>((resolve) => void held.set(path, resolve));
    const another = (own?: ClientStorage) =>
      createClient<Api>(BASE_URL, { fetch, ...(own ? { storage: own } : {}) });
    await body({ client: another(storage), sent, api, holdNext, failNext, another });
  }, { project: validation.model });
}

/** Founds an organization, in which the founder is an admin too: the notes' rules name no owner. */
async function found({ client, api }: ClientUnderTest, slug: string): Promise<string> {
  const { id } = await client.auth.organization.create({ name: slug, slug });
  await api.database.write((transaction) =>
    transaction.run({ sql: "UPDATE auth_member SET role = 'owner,admin'", args: [] })
  );
  await client.auth.organization.activate(id);
  return id;
}

Deno.test("signing up, founding an organization and working in it needs no token of one's own", () =>
  withAccountsClient(async (underTest) => {
    const { client, sent } = underTest;
    assertEquals(await client.auth.session(), null);
    const { user } = await client.auth.signUp(ANN);
    assertEquals(user.email, ANN.email);
    const id = await found(underTest, "acme");
    assertEquals((await client.auth.organization.list()).map((one) => one.id), [id]);
    const notebook = await client.resource("notebooks").create({ title: "Recipes" });
    assertEquals(notebook.organizationId, id);
    const last = sent.at(-1);
    assertEquals([last?.authorization?.startsWith("Bearer "), last?.cookie], [true, null]);
  }));

Deno.test("a token that expires is renewed once, however many requests it was for", () =>
  withAccountsClient(async (underTest) => {
    const { client, sent, api } = underTest;
    await client.auth.signUp(ANN);
    await found(underTest, "acme");
    const before = await client.auth.token();
    api.pass(HOUR);
    sent.length = 0;
    const notebooks = client.resource("notebooks");
    const made = await Promise.all(["A", "B", "C"].map((title) => notebooks.create({ title })));
    assertEquals(made.map(({ title }) => title), ["A", "B", "C"]);
    assertNotEquals(await client.auth.token(), before);
    assertEquals(sent.filter(({ path }) => path === "/api/v1/token").length, 1);
    assertEquals((await notebooks.list()).data.length, 3);
  }));

Deno.test("a token is not renewed when the session has ended, and is forgotten", () =>
  withAccountsClient(async ({ client, api }) => {
    await client.auth.signUp(ANN);
    await api.database.write((transaction) =>
      transaction.run({ sql: "DELETE FROM auth_session", args: [] })
    );
    api.pass(HOUR);
    const error = await assertRejects(() => client.resource("notebooks").list(), ApiError);
    assert(client.isRefusal(error, "AUTH_EXPIRED"));
    assertEquals(await client.auth.token(), null);
    assertEquals(await client.auth.session(), null);
  }));

Deno.test("what signing in gave is kept where it is told, and gone after signing out", async () => {
  const items = new Map<string, string>();
  const storage: ClientStorage = {
    getItem: (key) => Promise.resolve(items.get(key) ?? null),
    setItem: (key, value) => Promise.resolve(void items.set(key, value)),
    removeItem: (key) => Promise.resolve(void items.delete(key)),
  };
  await withAccountsClient(async (underTest) => {
    const { client, another } = underTest;
    await client.auth.signUp(ANN);
    await found(underTest, "acme");
    const reloaded = another(storage);
    assertEquals(await reloaded.auth.token(), await client.auth.token());
    assertEquals((await reloaded.resource("notebooks").list()).data, []);
    await reloaded.auth.signOut();
    assertEquals(items.size, 0);
    const error = await assertRejects(() => client.resource("notebooks").list(), ApiError);
    assert(client.isRefusal(error, "AUTH_MISSING"));
  }, storage);
});

Deno.test("the organization that is chosen is the one that requests act in", () =>
  withAccountsClient(async (underTest) => {
    const { client } = underTest;
    await client.auth.signUp(ANN);
    const acme = await found(underTest, "acme");
    const globex = await found(underTest, "globex");
    const notebooks = client.resource("notebooks");
    assertEquals((await notebooks.create({ title: "G" })).organizationId, globex);
    await client.auth.organization.activate(acme);
    assertEquals((await notebooks.list()).data, []);
    assertEquals((await notebooks.create({ title: "A" })).organizationId, acme);
  }));

Deno.test("a token that was on its way is of no organization that was left meanwhile", () =>
  withAccountsClient(async (underTest) => {
    const { client, api, holdNext } = underTest;
    await client.auth.signUp(ANN);
    const acme = await found(underTest, "acme");
    await found(underTest, "globex");
    const notebooks = client.resource("notebooks");
    api.pass(HOUR);
    const onItsWay = holdNext("/api/v1/token");
    const reading = notebooks.list();
    const letGo = await onItsWay;
    const chosen = holdNext("/auth/v1/organization/set-active");
    const choosing = client.auth.organization.activate(acme);
    (await chosen)();
    // Time enough to take the token that is on its way for one's own.
    await new Promise((resolve) => setTimeout(resolve, 0));
    letGo();
    await Promise.all([reading, choosing]);
    assertEquals((await notebooks.create({ title: "A" })).organizationId, acme);
  }));

Deno.test("a token that was on its way is none after signing out", () =>
  withAccountsClient(async (underTest) => {
    const { client, api, holdNext } = underTest;
    await client.auth.signUp(ANN);
    await found(underTest, "acme");
    api.pass(HOUR);
    const onItsWay = holdNext("/api/v1/token");
    const reading = client.resource("notebooks").list();
    const letGo = await onItsWay;
    const ended = holdNext("/auth/v1/sign-out");
    const signingOut = client.auth.signOut();
    (await ended)();
    await new Promise((resolve) => setTimeout(resolve, 0));
    letGo();
    // The read may have been asked for again before, and after.
    await Promise.allSettled([reading, signingOut]);
    assertEquals(await client.auth.token(), null);
  }));

Deno.test("without a token of the organization that was chosen, none of another is sent", () =>
  withAccountsClient(async (underTest) => {
    const { client, failNext } = underTest;
    await client.auth.signUp(ANN);
    const acme = await found(underTest, "acme");
    await found(underTest, "globex");
    failNext("/api/v1/token");
    await assertRejects(() => client.auth.organization.activate(acme), ApiError);
    const notebook = await client.resource("notebooks").create({ title: "A" });
    assertEquals(notebook.organizationId, acme);
  }));

Deno.test("a wrong password leaves whoever is signed in as they are", () =>
  withAccountsClient(async ({ client }) => {
    await client.auth.signUp(ANN);
    const token = await client.auth.token();
    const { email } = ANN;
    const error = await assertRejects(
      () => client.auth.signIn({ email, password: "not the password" }),
      ApiError,
    );
    assert(client.isRefusal(error));
    assertEquals([error.status, error.code], [401, "INVALID_EMAIL_OR_PASSWORD"]);
    assertEquals(await client.auth.token(), token);
    assertEquals((await client.auth.signIn({ email, password: ANN.password })).user.email, email);
  }));

Deno.test("signing in rejects with the reason where the session's cookie does not come along", () =>
  withAccountsClient(async ({ client, api }) => {
    await client.auth.signUp(ANN);
    // A browser on another site's page: nobody sees the cookie, and none is sent.
    const across = createClient<Api>(BASE_URL, {
      fetch: async (request) => {
        request.headers.delete("cookie");
        request.headers.set("host", new URL(BASE_URL).host);
        const answer = await api.fetch(request, { clientIp: null });
        const headers = new Headers(answer.headers);
        headers.delete("set-cookie");
        return new Response(answer.body, { status: answer.status, headers });
      },
    });
    const { email, password } = ANN;
    const refused = await assertRejects(() => across.auth.signIn({ email, password }), ApiError);
    assert(across.isRefusal(refused));
    assertEquals([refused.status, refused.code], [401, "AUTH_SESSION_REQUIRED"]);
    assertMatch(refused.message, /cookie did not come along/);
    assertMatch(refused.hint ?? "", /one site, or the API through a proxy/);
    assertEquals(await across.auth.token(), null);
  }));

Deno.test("a storage that holds something else is one that holds nothing", () =>
  withAccountsClient(async ({ another }) => {
    for (const text of ["{", "null", "7"]) {
      const storage = { getItem: () => text, setItem: () => {}, removeItem: () => {} };
      assertEquals(await another(storage).auth.session(), null);
    }
  }));

Deno.test("what accounts do not offer is no call that compiles", () => {
  const client = createClient<Api>(BASE_URL);
  type Closed = Omit<Api, "auth"> & {
    readonly auth: { readonly signUp: never; readonly organizations: never };
  };
  const closed = createClient<Closed>(BASE_URL);
  type Second = Omit<Api, "contract"> & { readonly contract: "v2" };
  // Never called: the compiler alone judges it.
  const misuses = [
    // @ts-expect-error A password is missing.
    () => client.auth.signIn({ email: ANN.email }),
    // @ts-expect-error Nobody signs up here.
    () => closed.auth.signUp(ANN),
    // @ts-expect-error There are no organizations.
    () => closed.auth.organization.list(),
    // @ts-expect-error Its paths are those of v2, which types cannot say at run time.
    () => createClient<Second>(BASE_URL),
    // @ts-expect-error The API has no such code.
    () => client.isRefusal(null, "AUTH_EXPIRD"),
  ];
  assertEquals(misuses.length, 5);
});
