/** `email-templates/`: texts of the messages of accounts (definitions 6). Every name in them is checked. */
import { nearest } from "../../../../lib/nearest.ts";
import type { AccountMail, EmailModel, MailTemplate } from "../../../../model/mod.ts";
import { ACCOUNT_MAILS, MAIL_NAMES, MAIL_PLACEHOLDER } from "../../../../model/mod.ts";
import { isNoticeKind, NOTICE_KINDS, NOTICE_PLACEHOLDERS, NOTICES } from "../../../../model/mod.ts";
import type { NoticeKind } from "../../../../model/mod.ts";
import { mailPlaceholders } from "../../../../model/mod.ts";
import { positionAt } from "../../../diagnostics/lines.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Definitions } from "../../values.ts";

const FOLDER = "quickback/email-templates/";

/** Code may make messages of its own, and a document beside the templates is none. */
const NO_TEMPLATE = /\.([cm]?[jt]sx?|md)$/;

const KINDS = ["html", "txt"] as const;

interface TemplateFile {
  readonly mail: AccountMail | NoticeKind;
  readonly kind: (typeof KINDS)[number];
}

/** By the names that there are. */
const FILES: ReadonlyMap<string, TemplateFile> = new Map(
  [
    ...MAIL_NAMES.map((mail) => [mail, ACCOUNT_MAILS[mail].template] as const),
    ...NOTICE_KINDS.map((mail) => [mail, NOTICES[mail]] as const),
  ].flatMap(([mail, template]) =>
    KINDS.map((kind) => [`${template}.${kind}`, { mail, kind }] as const)
  ),
);

/** The settings of messages with the project's texts; without templates they stay what they are. */
export function withTemplates(
  email: EmailModel,
  { carried }: Definitions,
  report: Report,
): EmailModel {
  const templates: Partial<Record<AccountMail | NoticeKind, MailTemplate>> = {};
  for (const [path, text] of carried) {
    if (!path.startsWith(FOLDER) || NO_TEMPLATE.test(path)) continue;
    const name = path.slice(FOLDER.length);
    const file = FILES.get(name);
    if (file) {
      const known = isNoticeKind(file.mail) ? NOTICE_PLACEHOLDERS : mailPlaceholders(file.mail);
      for (const { 0: whole, 1: name = "", index } of text.matchAll(MAIL_PLACEHOLDER)) {
        if (known.includes(name)) continue;
        const place = { file: path, ...positionAt(text, index), length: whole.length };
        report.add("EMAIL_PLACEHOLDER_UNKNOWN", place, {
          file: path,
          name,
          form: null,
          nearest: nearest(name, known),
          known,
        });
      }
      templates[file.mail] = { ...templates[file.mail], [file.kind]: text };
      continue;
    }
    report.add("EMAIL_TEMPLATE_UNKNOWN", { file: path, line: 1, column: 1, length: 1 }, {
      file: path,
      form: null,
      nearest: nearest(name, [...FILES.keys()]),
      known: [...FILES.keys()],
    });
  }
  return Object.keys(templates).length === 0 ? email : { ...email, templates };
}
