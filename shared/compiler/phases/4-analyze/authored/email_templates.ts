/**
 * Reads `email-templates/`: texts of the messages of accounts and of the pages that their links lead to, for every language or
 * in a folder for one (definitions 6). Every name in them is checked.
 */
import { languageTag } from "../../../../lib/languages.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { EmailModel, MailTemplate, MailTexts, WordedMail } from "../../../../model/mod.ts";
import { ACCOUNT_MAILS, MAIL_NAMES, mailPlaceholders } from "../../../../model/mod.ts";
import { NOTICE_KINDS, NOTICES } from "../../../../model/mod.ts";
import { positionAt } from "../../../diagnostics/lines.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions } from "../../values.ts";
import { readPageTexts } from "./page_texts.ts";
import { checkPlaceholders } from "./placeholders.ts";

export const TEMPLATE_FOLDER = "quickback/email-templates/";

/** Matches files that are not templates: code that makes messages of its own, and documents beside the templates. */
const NO_TEMPLATE = /\.([cm]?[jt]sx?|md)$/;

const KINDS = ["html", "txt"] as const;
const PAGES = "pages.json";

interface TemplateFile {
  readonly mail: WordedMail;
  readonly kind: (typeof KINDS)[number];
}

/** Template files by name. */
const FILES: ReadonlyMap<string, TemplateFile> = new Map(
  [
    ...MAIL_NAMES.map((mail) => [mail, ACCOUNT_MAILS[mail].template] as const),
    ...NOTICE_KINDS.map((mail) => [mail, NOTICES[mail]] as const),
  ].flatMap(([mail, template]) =>
    KINDS.map((kind) => [`${template}.${kind}`, { mail, kind }] as const)
  ),
);

/**
 * Adds the project's texts to the settings of messages. Without texts the settings are unchanged. `logo` is the path of the
 * logo's image.
 */
export function withTemplates(
  email: EmailModel,
  { definitions: { carried }, report, logo }: {
    readonly definitions: Definitions;
    readonly report: Report;
    readonly logo: string | null;
  },
): EmailModel {
  const byLanguage = new Map<string, MailTexts>();
  for (const [path, text] of carried) {
    if (!path.startsWith(TEMPLATE_FOLDER) || NO_TEMPLATE.test(path) || path === logo) continue;
    const segments = path.slice(TEMPLATE_FOLDER.length).split("/");
    const language = segments.length === 2 ? languageOf(path, segments[0] ?? "", report) : "";
    if (language === null) continue;
    const name = segments.length === 1 || language !== "" ? segments.at(-1) ?? "" : "";
    const read = readTexts({ path, name, text }, byLanguage.get(language) ?? {}, report);
    if (read !== null) byLanguage.set(language, read);
  }
  const { "": plain, ...languages } = Object.fromEntries(
    [...byLanguage].sort(([a], [b]) => a < b ? -1 : 1),
  );
  return {
    ...email,
    ...plain,
    ...(Object.keys(languages).length === 0 ? {} : { languages }),
  };
}

/** Returns the language of a file's folder; null if the folder's name is wrong, which is reported. */
function languageOf(file: string, name: string, report: Report): string | null {
  const tag = languageTag(name);
  if (tag === name) return tag;
  const place = { file, line: 1, column: 1, length: 1 };
  report.add("LANGUAGE_UNKNOWN", place, { name, tag });
  return null;
}

/** Returns the language's texts with those of one more file; null if no text has the file's name, which is reported. */
function readTexts(
  { path, name, text }: {
    readonly path: string;
    /** The file's path below the folder of its language. */
    readonly name: string;
    readonly text: string;
  },
  texts: MailTexts,
  report: Report,
): MailTexts | null {
  if (name === PAGES) return { ...texts, pages: readPageTexts(path, text, report) };
  const file = FILES.get(name);
  if (file === undefined) {
    const known = [PAGES, ...FILES.keys()];
    report.add("EMAIL_TEMPLATE_UNKNOWN", { file: path, line: 1, column: 1, length: 1 }, {
      file: path,
      form: null,
      nearest: nearest(name, known),
      known,
    });
    return null;
  }
  const { mail, kind } = file;
  const placeOf = (index: number, length: number) => ({
    file: path,
    ...positionAt(text, index),
    length,
  });
  checkPlaceholders({ file: path, text, known: mailPlaceholders(mail), placeOf }, report);
  const own = {
    ...texts.templates?.[mail],
    ...(kind === "txt" ? withSubject(text) : { html: text }),
  };
  return { ...texts, templates: { ...texts.templates, [mail]: own } };
}

/** Separates a first line `Subject: …` from the message's text. */
function withSubject(text: string): MailTemplate {
  const [line = "", subject] = /^Subject:[ \t]*(\S[^\r\n]*)(?:\r?\n)*/.exec(text) ?? [];
  return subject === undefined ? { txt: text } : { subject, txt: text.slice(line.length) };
}
