/** Describes routes of sign-in through providers, for projects that have some (definitions 2, `social` and `oidc`). */
import { z } from "zod";
import { providersOf, type SignInModel } from "../../model/mod.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";
import { PAGES } from "./sign_in_operations.ts";

const LED = answers.object([], {
  url: described("Where the browser goes next: the provider.", { type: "string" }),
  redirect: described("Whether a page is to go there by itself.", { type: "boolean" }),
});

const LINKED = answers.object(["id", "userId", "createdAt"], {
  providerId: described("The provider; `credential` for a password.", { type: "string" }),
  accountId: described("The account's id there.", { type: "string" }),
  scopes: answers.listOf("What the provider was asked for.", { type: "string" }),
});

/** Schema of a parameter that providers add to the address to which they return. Other parameters are dropped. */
const RETURNED = z.string().max(4096).optional();

const CALLBACK = op.read({
  who: "unasked",
  id: "authProviderCallback",
  path: "/callback/:id",
  withheld: ["device_id", "user"],
  challenges: [{ by: "provider", member: "code", of: "proof" }],
  signsIn: "firstFactor",
  summary: "Where the provider leads back to: signs in, and leads on to the application",
  parameters: z.object({
    code: RETURNED.describe("Proof of the provider, good once."),
    state: RETURNED.describe("Names what was begun, in the browser that began it."),
    error: RETURNED.describe("The provider's refusal."),
    error_description: RETURNED.describe("The same in words."),
    iss: RETURNED.describe("The provider's issuer."),
  }),
  redirects: true,
}, null);

const OWN_WAYS: readonly op.AuthOperation[] = [
  op.write({
    id: "authUnlinkProvider",
    path: "/unlink-account",
    summary: "End one of the ways that the caller signs in by, never the last one",
    takes: {
      accountId: members.MEMBER.token.meta({ description: "Id of the way, as it is listed." }),
    },
    bodyExample: { accountId: "<id>" },
  }, answers.STATUS),
  op.read({
    id: "authListProviders",
    path: "/list-accounts",
    summary: "List the ways that the caller signs in by",
  }, answers.listOf("Passwords and accounts at providers.", LINKED)),
];

export function providerOperations(
  signIn: SignInModel | undefined,
): readonly op.AuthOperation[] {
  const providers = providersOf(signIn);
  const asked = {
    provider: z.enum([...providers]).describe("The provider."),
    ...PAGES,
    disableRedirect: z.boolean().describe("Whether the page goes there by itself.").optional(),
  };
  // A linked account is never a new one.
  const { newUserCallbackURL: _, ...linked } = asked;
  const bodyExample = { provider: providers[0] ?? "", callbackURL: "/welcome" };
  return [
    op.write({
      who: "unasked",
      id: "authSignInProvider",
      path: "/sign-in/social",
      withheld: ["idToken", "scopes", "requestSignUp", "additionalParams", "additionalData"],
      challenges: [{ by: "provider", member: null, of: "proof" }],
      summary: "Begin to sign in through a provider: answers where the browser goes",
      takes: {
        ...asked,
        loginHint: members.MEMBER.email.describe("The account to be asked for there.").optional(),
      },
      bodyExample,
    }, LED),
    CALLBACK,
    op.write({
      id: "authLinkProvider",
      path: "/link-social",
      withheld: [
        "idToken",
        "requestSignUp",
        "scopes",
        "loginHint",
        "additionalParams",
        "additionalData",
      ],
      challenges: [{ by: "provider", member: null, of: "session" }],
      summary: "Begin to sign in through a provider as well, with the same address",
      takes: linked,
      bodyExample,
    }, LED),
    ...OWN_WAYS,
  ];
}
