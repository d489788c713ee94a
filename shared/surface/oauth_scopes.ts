/**
 * Translates permissions into scopes of a project's own authorization server, in the syntax of RFC 6749, 3.3 (contract 5.1).
 */
import type { Grants, ProjectModel, Says } from "../model/mod.ts";
import { isPageText, MAIL_PLACEHOLDER, PAGE_TEXTS } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { grantableOf, granteeReader } from "./grantable.ts";
import { EVERY_RESOURCE } from "./grants.ts";

/** Scope for clients that request none. It permits reads only. */
export const DEFAULT_SCOPE = `${EVERY_RESOURCE}:read`;

/** Returns every scope of the project, `<resource>:<verb or action>`, and `*:read`. */
export function scopesOf(project: ProjectModel): readonly string[] {
  const named = [...grantableOf(project)].flatMap(([resource, verbs]) =>
    resource === EVERY_RESOURCE ? [] : verbs.map((verb) => `${resource}:${verb}`)
  );
  return [DEFAULT_SCOPE, ...named];
}

/** Returns the names in a `scope` parameter or claim, each once. */
export function namesIn(scope: string): readonly string[] {
  return [...new Set(scope.split(" ").filter((name) => name !== ""))];
}

/** Returns the same scopes by the known names of their resources, each once; an unknown one is unchanged. */
export function scopesMeant(written: readonly string[], project: ProjectModel): readonly string[] {
  const granteeOf = granteeReader(grantableOf(project));
  const meant = written.map((scope) => {
    const [resource = "", ...verb] = partsOf(scope);
    return [granteeOf(resource, verb[0]), ...verb].join(":");
  });
  return [...new Set(meant)];
}

/** Returns the rights of scopes. An unknown name grants nothing. */
export function grantsOf(scopes: readonly string[]): Grants {
  const granted = new Map<string, string[]>();
  for (const scope of scopes) {
    const [resource = "", verb = ""] = partsOf(scope);
    granted.set(resource, [...granted.get(resource) ?? [], verb]);
  }
  return Object.fromEntries([...granted].toSorted(([a], [b]) => a < b ? -1 : 1));
}

/** A scope in words for a user who is asked to grant it. */
export interface ScopeInWords {
  readonly scope: string;
  /** Heading, which groups scopes. */
  readonly heading: string;
  readonly text: string;
}

/** Returns the built-in texts. */
export const inEnglish: Says = (key, values = {}) =>
  PAGE_TEXTS[key].replace(MAIL_PLACEHOLDER, (whole, name: string) => values[name] ?? whole);

/** Returns scopes in words, in their own order. The words of an action are its author's. */
export function inWords(
  project: ProjectModel,
  scopes: readonly string[],
  says: Says,
): readonly ScopeInWords[] {
  const descriptions = new Map<string, string>(
    actionOperationsOf(project).map(({ grant, action }) =>
      [`${grant.resource}:${grant.verbs.join()}`, action.description] as const
    ),
  );
  return scopes.map((scope) => {
    const [resource = "", verb = ""] = partsOf(scope);
    if (resource === EVERY_RESOURCE) {
      return { scope, heading: says("scope.everything"), text: says("scope.readAll") };
    }
    const description = descriptions.get(scope) ?? "";
    const run = description === "" ? "scope.action" : "scope.describedAction";
    const key = VERBS.includes(verb) ? `scope.${verb}` : run;
    const text = isPageText(key) ? says(key, { action: verb, description }) : verb;
    return { scope, heading: resource, text };
  });
}

const VERBS: readonly string[] = ["read", "create", "update", "delete", "restore"];

/** Splits a scope at its colon. Names of resources and verbs contain none. */
function partsOf(scope: string): readonly string[] {
  const at = scope.lastIndexOf(":");
  return at === -1 ? [scope] : [scope.slice(0, at), scope.slice(at + 1)];
}
