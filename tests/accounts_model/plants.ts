/** Faults to plant in the walked output's own copy of the runtime; the environment says which of them is open. */
import type { Patch } from "../support/leaky_project.ts";
import type { Subject } from "./acts/act.ts";

/** Names the fault that is open. */
export const SWITCH = "PLANTED_ACCOUNT_FAULT";

export interface PlantedFault {
  readonly name: string;
  /** What the walks that look for it are about. */
  readonly about: readonly Subject[];
  /** What the walk that finds it must say. */
  readonly says: RegExp;
  /** Walks that are enough to find it. */
  readonly walks: number;
}

interface Planted extends PlantedFault {
  readonly patches: readonly Patch[];
}

const on = (name: string) => `(Deno.env.get("${SWITCH}") === ${JSON.stringify(name)})`;

/** What the records of credentials say is over at an event stays. `cell`: `<event> spares <kind>`. */
function spared(
  cell: string,
  about: readonly Subject[],
  says: RegExp,
  walks = MANY,
): Planted {
  return { name: cell, about, says, walks, patches: [] };
}

function fault(
  name: string,
  { about, says, walks = MANY, patches }: {
    readonly about: readonly Subject[];
    readonly says: RegExp;
    readonly walks?: number;
    /** File below the copy of the runtime, what stands there, and what it becomes, given the code that says whether it is open. */
    readonly patches: (isOpen: string) => readonly (readonly [string, string, string])[];
  },
): Planted {
  const made = patches(on(name)).map(([file, find, replace]) => ({
    file: `quickback/${file}`,
    find,
    replace,
  }));
  return { name, about, says, walks, patches: made };
}

/** Walks after which a planted fault counts as not found. */
const MANY = 600;

const PLANTED: readonly Planted[] = [
  spared("takeOver spares apiKey", ["programs"], /^A key .* works after a taking over/),
  spared("takeOver spares oauthGrant", ["programs"], /^A grant .* works after a taking over/),
  spared("takeOver spares bearerToken", ["programs"], /^A bearer .* works after a taking over/),
  spared("takeOver spares scopeToken", ["programs"], /^A scope token .* works after a taking over/),
  spared("takeOver spares session", ["every walk"], /^A session .* works after a taking over/),
  spared(
    "takeOver spares signIn",
    ["every walk"],
    /opens .* after its proof|shows what|works after a taking over/,
  ),
  spared(
    "takeOver spares pushRegistration",
    ["receivers"],
    /^A push registration .* works after a taking over/,
  ),
  spared(
    "takeOver spares webhookEndpoint",
    ["receivers"],
    /^A webhook endpoint .* works after a taking over/,
  ),
  spared("takeOver spares membership", ["organizations"], /shows what/),
  spared(
    "takeOver spares openLink",
    ["passwords"],
    /worked after a taking over|gave .* the address/,
  ),
  spared("passwordReset spares apiKey", ["programs", "passwords"], /^A key .* works after a reset/),
  spared("passwordReset spares openLink", ["passwords"], /worked after a reset/),
  spared("passwordSet spares session", ["the operator"], /works after an operator's password/),
  spared(
    "passwordSet spares apiKey",
    ["the operator", "programs"],
    /^A key .* operator's password/,
  ),
  spared(
    "membershipEnd spares apiKey",
    ["organizations"],
    /^A key .* works after a removal/,
  ),
  spared(
    "passwordChange spares trustedDevice",
    ["second factors", "passwords"],
    /^A trusted device .* works after a change of password/,
  ),
  fault("a stream that nobody looks at", {
    about: ["receivers"],
    says: /^A stream .* (?:tells of|shows) what/,
    patches: (isOpen) => [[
      "runtime/layers/1-authentication/rights_watch.ts",
      "      looked.forEach((entry, at) =>",
      `      if (!${isOpen}) looked.forEach((entry, at) =>`,
    ]],
  }),
  fault("a key carries the platform's role", {
    about: ["programs"],
    says: /^A (?:key|grant) .* holds the role sysadmin/,
    patches: (isOpen) => [[
      "accounts/memberships.ts",
      "return carriesPlatformRole ?",
      `return carriesPlatformRole || ${isOpen} ?`,
    ], [
      "accounts/memberships.ts",
      "const isProved = emailVerified === 1 && isAfterProof;",
      `const isProved = emailVerified === 1 &&
      (isAfterProof || ${isOpen} || ${on("the platform's role for an older session")});`,
    ]],
  }),
  fault("the platform's role for an older session", {
    about: ["every walk"],
    says: /^A session that the operator made .* holds the role sysadmin/,
    // Beside the one above, at the same place.
    patches: () => [],
  }),
  fault("a step of a device's code twice", {
    about: ["second factors"],
    says: /^A code of a device worked twice/,
    patches: (isOpen) => [[
      "accounts/totp_steps.ts",
      "return changes > 0;",
      `return changes > 0 || ${isOpen};`,
    ]],
  }),
  fault("a provider's text taken for a proof", {
    about: ["providers"],
    says: /shows what|holds the role|works after/,
    patches: (isOpen) => [[
      "accounts/provider_proofs.ts",
      "const isProved = isTrue(claims",
      `const isProved = ${isOpen} || isTrue(claims`,
    ]],
  }),
  fault("a fetched link acts", {
    about: ["every walk"],
    says: /^(?:HEAD|GET) of the .* changed something/,
    patches: (isOpen) => [[
      "runtime/discovery/mailed_links.ts",
      'query.get("token") ?? "";\n  const link = await accounts.mailedLink(operation.path, token);',
      `query.get("token") ?? "";
  const isFollowed = ${isOpen} ||
    request.method === "HEAD" && ${on("a link that HEAD uses up")};
  if (isFollowed) {
    const { headers, clientIp } = request;
    const asked = { path: operation.path, token, headers, takeOver: true };
    const nothing = { invitationId: null, password: null, newPassword: null };
    await accounts.followLink({ ...asked, ...nothing }, { clientIp });
  }
  const link = await accounts.mailedLink(operation.path, token);`,
    ]],
  }),
  fault("a link that HEAD uses up", {
    about: ["every walk"],
    says: /^HEAD of the .* changed something/,
    // Beside the one above, at the same place.
    patches: () => [],
  }),
  fault("a link that works twice", {
    about: ["passwords", "addresses"],
    says: /worked twice/,
    patches: (isOpen) => [[
      "accounts/mailed_links/follow_link.ts",
      "    if (!isDone) await putLinkBack(",
      `    if (!isDone || ${isOpen}) await putLinkBack(`,
    ]],
  }),
  fault("a link that any account may follow", {
    about: ["addresses"],
    says: /in another account, gave|from another account/,
    patches: (isOpen) => [[
      "accounts/mailed_links/follow_link.ts",
      "session !== null && session.userId === link.userId",
      `session !== null && (${isOpen} || session.userId === link.userId)`,
    ]],
  }),
  fault("an invitation that its id accepts", {
    about: ["organizations"],
    says: /shows what|works after/,
    patches: (isOpen) => [[
      "accounts/mailed_links/follow_link.ts",
      "  if (means.sendsMail && !",
      `  if (!${isOpen} && means.sendsMail && !`,
    ]],
  }),
  fault("a role with a blank", {
    about: ["roles"],
    says: /took the role|got the role/,
    patches: (isOpen) => [[
      "surface/accounts/named_roles.ts",
      'const declared = body?.shape["role"];',
      `const declared = ${isOpen} ? undefined : body?.shape["role"];`,
    ]],
  }),
];

/** Credentials that nobody makes before the proof: to survive it, another guard must be gone with the one that ends them. */
const UNPROVED_MAKERS: Patch = {
  file: "quickback/accounts/session_rights.ts",
  find: "  if (!isProved && ",
  replace: `  if (!/^takeOver spares/.test(Deno.env.get("${SWITCH}") ?? "") && !isProved && `,
};

/** A cell of the records that is passed over. */
const SPARING: Patch = {
  file: "quickback/accounts/credentials/end_credentials.ts",
  find: "    const answer: Answer<EventSubjects[Event]> = CREDENTIALS[kind].on[event];\n",
  replace: `    if (Deno.env.get("${SWITCH}") === \`\${event} spares \${kind}\`) continue;
    const answer: Answer<EventSubjects[Event]> = CREDENTIALS[kind].on[event];
`,
};

export const PLANTS: readonly PlantedFault[] = PLANTED;

/** All of them, for one output: each is open where the environment names it. */
export const PLANTED_PATCHES: readonly Patch[] = [
  SPARING,
  UNPROVED_MAKERS,
  ...PLANTED.flatMap(({ patches }) => patches),
];
