/**
 * Judges delegated principals (contract 5.6): an `Authorization` scheme of the project's own, which the project's verifier
 * judges. A result beyond the verifier's closed form, or an error that it throws, makes the credential invalid.
 */
import { ROLE_NAME, STANDING_ROLES } from "../../../contract/mod.ts";
import { ANONYMOUS, type AuthModel, type DelegatedPrincipalModel } from "../../../model/mod.ts";
import { delegatedRole, type HandlerEnv, type Principal } from "../../../model/mod.ts";
import type { AuthoredCode } from "../../../surface/mod.ts";
import type { RequestContext } from "../../context.ts";
import type { CredentialVerdict } from "../../ports.ts";

/** The verifiers' code, by the module that the model names. */
export type Verifiers = AuthoredCode["verifiers"];

/** The verifiers, with their `env` and database. */
export interface VerifierHome {
  readonly verifiers: Verifiers;
  readonly env: HandlerEnv;
  /** Opens a database for a request of this time: it reads rows that belong to no tenant and no user, and writes nothing. */
  openDb(now: string): { readonly db: unknown; close(): Promise<void> };
}

/** Judges the value of an `Authorization` header that is no bearer token. */
type VerifyDelegated = (
  authorization: string,
  request: RequestContext,
) => Promise<CredentialVerdict>;

const INVALID: CredentialVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };

const CREDENTIAL_MAX_LENGTH = 8192;

/**
 * Makes the judge, once per application. Throws if a verifier is missing, since every credential would then be refused for a
 * wrong reason.
 */
export function createVerifyDelegated(auth: AuthModel, home: VerifierHome): VerifyDelegated {
  const { verifiers } = home;
  const byScheme = new Map(auth.principals.map((model) => {
    const verify = Object.hasOwn(verifiers, model.module) ? verifiers[model.module] : undefined;
    if (verify) return [model.scheme, { model, verify }] as const;
    throw new Error(`Delegated principal "${model.name}" has no verifier "${model.module}"`);
  }));
  const reserved: ReadonlySet<string> = new Set([...STANDING_ROLES, ...auth.roleHierarchy]);
  return async (authorization, request) => {
    const { scheme, credential } = partsOf(authorization);
    const known = byScheme.get(scheme);
    if (!known || credential === null) return INVALID;
    try {
      const said = await verified(credential, known.verify, home, request.now);
      if (said === null || said === undefined) return INVALID;
      return { kind: "principal", principal: principalOf(said, known.model, reserved) };
    } catch (error) {
      request.app.ports.logger.log({
        level: "error",
        message: `The verifier of delegated principal "${known.model.name}" failed`,
        requestId: request.requestId,
        error,
      });
      return INVALID;
    }
  };
}

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const PARAMETER = `${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;

/**
 * Matches an `Authorization` header (RFC 9110, 11.4), also with one word that is no token68. A header that was sent twice never
 * matches.
 */
const AUTHORIZATION = new RegExp(
  `^(${TOKEN}) +([!#-+\\--~]+|${PARAMETER}(?: *, *${PARAMETER})*)$`,
);

function partsOf(
  authorization: string,
): { readonly scheme: string; readonly credential: string | null } {
  if (authorization.length > CREDENTIAL_MAX_LENGTH) return { scheme: "", credential: null };
  const [, scheme = "", credential = null] = AUTHORIZATION.exec(authorization) ?? [];
  return { scheme, credential };
}

/** Runs a verifier. It reads rows that belong to no tenant and no user, because there is no caller yet. */
async function verified(
  credential: string,
  verify: (...given: never) => unknown,
  home: VerifierHome,
  now: string,
): Promise<unknown> {
  const opened = home.openDb(now);
  try {
    // The parameters are typed at the verifier's declaration.
    return await Reflect.apply(verify, undefined, [credential, { env: home.env, db: opened.db }]);
  } finally {
    await opened.close();
  }
}

const KEYS: readonly PropertyKey[] = ["variant", "subject", "roles"];
const ROLES_MAX = 64;
const SUBJECT = /^[!-~]{1,128}$/;

/** Returns the principal of `{ variant, subject, roles }`; throws for anything else. */
function principalOf(
  said: unknown,
  model: DelegatedPrincipalModel,
  /** Roles that only accounts and organizations give. */
  reserved: ReadonlySet<string>,
): Principal {
  if (typeof said !== "object" || said === null) throw new VerifierError("must return an object");
  const stranger = Reflect.ownKeys(said).find((key) => !KEYS.includes(key));
  if (stranger !== undefined) throw new VerifierError(`returned an unknown "${String(stranger)}"`);
  const own = Object.getOwnPropertyDescriptors(said);
  const members = new Map(Object.entries(own).map(([key, { value }]) => [key, value]));
  const variant: unknown = members.get("variant");
  const subject: unknown = members.get("subject");
  const roles: unknown = members.get("roles") ?? [];
  if (typeof variant !== "string" || !model.variants.includes(variant)) {
    throw new VerifierError(`must return one of its variants: ${model.variants.join(", ")}`);
  }
  if (typeof subject !== "string" || !SUBJECT.test(subject)) {
    throw new VerifierError("must return a subject of 1 to 128 visible ASCII characters");
  }
  if (
    !(Array.isArray(roles) &&
      roles.every((role) => typeof role === "string" && ROLE_NAME.test(role))) ||
    roles.length > ROLES_MAX
  ) {
    throw new VerifierError(`must return at most ${ROLES_MAX} roles, each with a role's name`);
  }
  const taken = roles.find((role) => reserved.has(role));
  if (taken !== undefined) throw new VerifierError(`may not give the role "${taken}"`);
  return {
    ...ANONYMOUS,
    credential: "delegated",
    roles: [...new Set([delegatedRole(model.name, variant), ...roles])],
    delegate: { name: model.name, variant, subject },
  };
}

class VerifierError extends Error {
  override readonly name = "VerifierError";
}
