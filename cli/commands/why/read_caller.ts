/** Parses a caller as people write it: `agent,admin of org_1 user u1 team t1`, `anonymous`, `kiosk/reader`. */
import { PLATFORM_ROLES } from "../../../shared/contract/mod.ts";
import { nearest } from "../../../shared/lib/nearest.ts";
import type { Principal, ProjectModel } from "../../../shared/model/mod.ts";
import { ANONYMOUS, delegatedRole, isPlatformRole } from "../../../shared/model/mod.ts";
import { UsageError } from "../../exit_codes.ts";

/** Defaults of omitted parts, which are printed. */
const DEFAULTS = { user: "u1", of: "org_1", team: "none", with: "token" } as const;

type Word = keyof typeof DEFAULTS;

const CREDENTIALS = ["session", "token", "apiKey", "scope"] as const;

export function readCaller(text: string, model: ProjectModel): Principal {
  const [roles = "", ...words] = text.trim().split(/\s+/);
  if (roles === "" || roles === "anonymous") {
    if (words.length > 0) {
      throw new UsageError(`An anonymous caller is nobody: leave out "${words[0]}"`);
    }
    return ANONYMOUS;
  }
  const delegate = roles.includes("/") ? delegateNamed(roles, model) : null;
  if (delegate !== null) return delegate;
  const said = new Map<Word, string>();
  for (let at = 0; at < words.length; at += 2) {
    const [word = "", value] = [words[at], words[at + 1]];
    if (!isWord(word) || value === undefined) {
      throw new UsageError(
        `--as is written "<roles> of <organization> user <id> team <id> with <credential>", not "${word}"`,
      );
    }
    said.set(word, value);
  }
  const names = roles.split(",");
  const platform = names.find(isPlatformRole) ?? null;
  const own = names.filter((name) => !isPlatformRole(name) && name !== "member");
  const known = [...model.auth.roles, ...model.auth.roleHierarchy, ...PLATFORM_ROLES, "member"];
  for (const name of own.filter((one) => !known.includes(one))) {
    const meant = nearest(name, known);
    const hint = meant === null
      ? `no rule names it; there are ${known.join(", ")}`
      : `did you mean "${meant}"?`;
    throw new UsageError(`There is no role "${name}": ${hint}`);
  }
  const credential = credentialNamed(said.get("with") ?? DEFAULTS.with);
  const isScope = credential === "scope";
  return {
    credential,
    userId: isScope ? null : said.get("user") ?? DEFAULTS.user,
    organizationId: model.multiTenant ? absent(said.get("of") ?? DEFAULTS.of) : null,
    teamId: absent(said.get("team") ?? DEFAULTS.team),
    roles: names.includes("member") ? ["member", ...own] : own,
    userRole: platform,
    ...(isScope ? { scope: "why" } : {}),
  };
}

function absent(name: string): string | null {
  return name === "none" ? null : name;
}

function isWord(word: string): word is Word {
  return Object.hasOwn(DEFAULTS, word);
}

function credentialNamed(name: string): Principal["credential"] {
  const known = CREDENTIALS.find((one) => one === name);
  if (known !== undefined) return known;
  throw new UsageError(`A credential is one of ${CREDENTIALS.join(", ")}, not "${name}"`);
}

function delegateNamed(text: string, model: ProjectModel): Principal {
  const [name = "", variant = ""] = text.split("/");
  const known = model.auth.principals.find((one) => one.name === name);
  if (known === undefined || !known.variants.includes(variant)) {
    const all = model.auth.principals.flatMap((one) =>
      one.variants.map((each) => `${one.name}/${each}`)
    );
    throw new UsageError(
      `There is no delegated principal "${text}"${
        all.length === 0 ? "" : `: there are ${all.join(", ")}`
      }`,
    );
  }
  return {
    ...ANONYMOUS,
    credential: "delegated",
    roles: [delegatedRole(name, variant)],
    delegate: { name, variant, subject: "why" },
  };
}

/** Writes the parsed caller in words. */
export function callerText(caller: Principal): string {
  const { credential, userId, organizationId, teamId, roles, userRole } = caller;
  if (credential === "none") return "anonymous";
  const held = [...(userRole === null ? [] : [userRole]), ...roles];
  return [
    held.length === 0 ? "a caller without roles" : held.join(","),
    organizationId === null ? "of no organization" : `of ${organizationId}`,
    userId === null ? "" : `user ${userId}`,
    teamId === null ? "" : `team ${teamId}`,
    `with ${credential}`,
  ].filter((part) => part !== "").join(" ");
}
