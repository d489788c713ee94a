/**
 * Reads `auth.principals`: the project's own authenticators, each with its scheme, its verifier and its variants (contract
 * 5.6).
 */
import { FORBIDDEN_SCHEMES, SCHEME } from "../../../../contract/mod.ts";
import { compareText } from "../../../../lib/texts.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { DelegatedPrincipalModel } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions } from "../../values.ts";
import { candidatesFor, joinedPath } from "../../3-evaluate/module_paths.ts";
import { type Fields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import type { AuthFields } from "./config_fields.ts";
import { below, invalidValue, type Token } from "../read/reader.ts";
import { readToken } from "../read/scalars.ts";
import type { PRINCIPAL } from "../../../../definition_language/config.ts";

/** A principal as configured, before its verifier's file is looked up. */
export interface PrincipalDraft {
  readonly name: string;
  readonly scheme: string;
  readonly verify: Token;
  readonly variants: readonly string[];
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Returns the principals; undefined if some could not be read. */
export function readPrincipals(auth: AuthFields): readonly PrincipalDraft[] | undefined {
  const entry = auth.entries.get("principals");
  if (!entry) return [];
  const drafts = (read(auth, "principals") ?? []).flatMap(({ key, value }) => {
    const scheme = requireField(value, "scheme", (value, at) => {
      const token = readToken(value, at);
      if (!token) return undefined;
      if (!SCHEME.test(token.text)) {
        return invalidValue(value, "a scheme of RFC 9110, one token", at);
      }
      if (!FORBIDDEN_SCHEMES.includes(token.text.toLowerCase())) return token;
      return invalidValue(value, "a scheme of its own, none that others already use", at);
    });
    const verify = read(value, "verify");
    const variants = readVariants(value);
    const principal = scheme && verify && variants && { scheme, verify, variants };
    if (principal && NAME.test(key.text)) return [{ name: key.text, ...principal }];
    if (principal) auth.at.report.add("PRINCIPAL_NAME", key.place, { name: key.text });
    return [];
  });
  // Schemes are compared without case, as proxies and clients compare them.
  const owners = new Map<string, string>();
  for (const { name, scheme: { text, place } } of drafts) {
    const other = owners.get(text.toLowerCase());
    if (other !== undefined) {
      auth.at.report.add("PRINCIPAL_SCHEME_TAKEN", place, { scheme: text, other });
    } else owners.set(text.toLowerCase(), name);
  }
  const isWhole = entry.value.kind === "object" && entry.value.entries.length === drafts.length;
  return isWhole
    ? drafts.map(({ scheme, ...rest }) => ({ ...rest, scheme: scheme.text }))
    : undefined;
}

function readVariants(
  fields: Fields<(typeof PRINCIPAL)["members"]>,
): readonly string[] | undefined {
  const tokens = read(fields, "variants");
  const value = fields.entries.get("variants")?.value;
  if (!tokens || !value) return undefined;
  if (value.kind === "array" && value.items.length === 0) {
    return invalidValue(value, "a list with at least one variant", below(fields.at, "variants"));
  }
  const wrong = tokens.filter(({ text }) => !NAME.test(text));
  for (const { text, place } of wrong) {
    fields.at.report.add("PRINCIPAL_NAME", place, { name: text });
  }
  return wrong.length > 0 ? undefined : tokens.map(({ text }) => text);
}

/** Returns the principals with the files that verify them. A principal without a file is reported and left out. */
export function principalsOf(
  drafts: readonly PrincipalDraft[],
  definitions: Definitions,
  report: Report,
): readonly DelegatedPrincipalModel[] {
  return drafts
    .flatMap(({ verify, ...draft }) => {
      const verifier = verifierOf(verify, definitions, report);
      return verifier === null ? [] : [{ ...draft, ...verifier }];
    })
    .sort((one, other) => compareText(one.name, other.name));
}

const SERVICES = "quickback/services/";

/** Finds the file of a verifier: `services/x`, `./services/x` or `quickback/services/x`, with `.ts` or without. */
function verifierOf(
  { text, place }: Token,
  { code, unparsed }: Definitions,
  report: Report,
): Pick<DelegatedPrincipalModel, "module" | "export"> | null {
  const path = joinedPath("quickback/", `./${text.replace(/^(\.\/)?(quickback\/)?/, "")}`);
  const paths = path?.startsWith(SERVICES) ? candidatesFor(path) : [];
  const module = paths.find((candidate) => code.has(candidate) || unparsed.has(candidate));
  if (module === undefined) {
    const services = [...code.keys()].filter((file) => file.startsWith(SERVICES))
      .map((file) => file.slice("quickback/".length).replace(/\.ts$/, ""));
    report.add("PRINCIPAL_VERIFIER_MISSING", place, {
      path: text,
      nearest: nearest(text, services),
    });
    return null;
  }
  const exports = code.get(module)?.exports;
  const name = (["verify", "default"] as const).find((candidate) => exports?.has(candidate));
  if (name !== undefined) return { module, export: name };
  // A file that could not be parsed has a report already.
  if (exports) report.add("PRINCIPAL_VERIFIER_EXPORT", place, { file: module });
  return null;
}
