/** Scopes of a project's own authorization server: what permissions of keys name, spelled for RFC 6749, 3.3 (contract 5.1). */
import type { Grants, ProjectModel, Says } from "../model/mod.ts";
import { isPageText, MAIL_PLACEHOLDER, PAGE_TEXTS } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { grantableOf, granteeReader } from "./grantable.ts";
import { EVERY_RESOURCE } from "./grants.ts";

/** Asked for by clients that name no scope: nothing of it changes anything. */
export const DEFAULT_SCOPE = `${EVERY_RESOURCE}:read`;

/** Every scope of the project, `<resource>:<verb or action>`, and `*:read`. */
export function scopesOf(project: ProjectModel): readonly string[] {
  const named = [...grantableOf(project)].flatMap(([resource, verbs]) =>
    resource === EVERY_RESOURCE ? [] : verbs.map((verb) => `${resource}:${verb}`)
  );
  return [DEFAULT_SCOPE, ...named];
}

/** The names in a `scope` parameter or claim, each once. */
export function namesIn(scope: string): readonly string[] {
  return [...new Set(scope.split(" ").filter((name) => name !== ""))];
}

/** The same scopes by the names of their resources, each once; one that means nothing stays as it is. */
export function scopesMeant(written: readonly string[], project: ProjectModel): readonly string[] {
  const granteeOf = granteeReader(grantableOf(project));
  const meant = written.map((scope) => {
    const [resource = "", ...verb] = partsOf(scope);
    return [granteeOf(resource, verb[0]), ...verb].join(":");
  });
  return [...new Set(meant)];
}

/** The rights that scopes stand for. A name that means nothing grants nothing. */
export function grantsOf(scopes: readonly string[]): Grants {
  const granted = new Map<string, string[]>();
  for (const scope of scopes) {
    const [resource = "", verb = ""] = partsOf(scope);
    granted.set(resource, [...granted.get(resource) ?? [], verb]);
  }
  return Object.fromEntries([...granted].toSorted(([a], [b]) => a < b ? -1 : 1));
}

/** A scope in words for whoever is asked to allow it. */
export interface ScopeInWords {
  readonly scope: string;
  /** Scopes of one heading belong together. */
  readonly heading: string;
  readonly text: string;
}

/** The built-in texts. */
export const inEnglish: Says = (key, values = {}) =>
  PAGE_TEXTS[key].replace(MAIL_PLACEHOLDER, (whole, name: string) => values[name] ?? whole);

/** The order is that of the scopes; the words of an action are its author's. */
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

/** Names of resources and verbs hold no colon. */
function partsOf(scope: string): readonly string[] {
  const at = scope.lastIndexOf(":");
  return at === -1 ? [scope] : [scope.slice(0, at), scope.slice(at + 1)];
}
