/** An ordinary better-auth client works against a generated API (definitions 7, "auth routes"). */
import { assertEquals, assertMatch } from "@std/assert";
import { createAuthClient } from "better-auth/client";
import { organizationClient } from "better-auth/client/plugins";
import {
  type AccountsUnderTest,
  type Browser,
  PASSWORD,
  withAccounts,
} from "../support/accounts.ts";

/** The client of a page of ours; without a base path it asks `/api/auth`, as it does by default. */
function clientOf(underTest: AccountsUnderTest, browser: Browser, basePath?: string) {
  return createAuthClient({
    baseURL: underTest.baseUrl,
    ...(basePath === undefined ? {} : { basePath }),
    plugins: [organizationClient()],
    fetchOptions: {
      customFetchImpl: (input, init) => browser.fetch(new Request(input, init)),
    },
  });
}

for (const basePath of [undefined, "/auth/v1"]) {
  Deno.test(`better-auth's client signs up, founds an organization and signs out at ${basePath ?? "its default path"}`, async () => {
    await withAccounts({}, async (underTest) => {
      const browser = underTest.browser();
      const client = clientOf(underTest, browser, basePath);
      const email = "anna@example.com";
      const signUp = await client.signUp.email({ name: "Anna", email, password: PASSWORD });
      assertEquals([signUp.error, signUp.data?.user.email], [null, email]);
      const founded = await client.organization.create({ name: "Acme", slug: "acme" });
      assertEquals(founded.error, null);
      const session = await client.getSession();
      assertEquals(session.data?.session.activeOrganizationId, founded.data?.id);
      assertEquals(
        (await underTest.accounts.session(browser.headers))?.organizationId,
        founded.data?.id,
      );
      await client.signOut();
      assertEquals((await client.getSession()).data, null);
      const refused = await client.signIn.email({ email, password: "not the password" });
      assertEquals(refused.error?.status, 401);
      assertMatch(refused.error?.code ?? "", /^INVALID_EMAIL_OR_PASSWORD$/);
    });
  });
}
