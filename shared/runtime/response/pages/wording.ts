/** What the pages say to one caller: the project's words in a language that the browser asks for, else English (definitions 6). */
import { chosenLanguage } from "../../../lib/languages.ts";
import { htmlText } from "../../../lib/texts.ts";
import { languagesWith, MAIL_PLACEHOLDER, PAGE_TEXTS, shownName } from "../../../model/mod.ts";
import type { BrandingModel, PageText, ProjectModel, Says } from "../../../model/mod.ts";
import { shown } from "./shown.ts";

export interface Wording {
  /** Of the page, for those who read it aloud (BCP 47). */
  readonly language: string;
  /** Name of the project, for people. */
  readonly app: string;
  readonly branding: BrandingModel;
  /** A text as it is, with the values of its placeholders. */
  readonly says: Says;
  /** A text as HTML, in which values stand out. */
  html(key: PageText, values: Readonly<Record<string, string>>): string;
}

/** The words for a project's pages in the language that the headers of a request ask for. */
export function wordingOf(project: ProjectModel, headers: Headers): Wording {
  const { email, branding = {} } = project;
  const app = shownName(project);
  const worded = languagesWith(email, ({ pages }) => pages !== undefined);
  const language = chosenLanguage(headers.get("accept-language"), worded);
  const own = language === null ? undefined : email.languages?.[language]?.pages;
  const text = (key: PageText): string => own?.[key] ?? email.pages?.[key] ?? PAGE_TEXTS[key];
  return {
    language: language ?? "en",
    app,
    branding,
    says: (key, values = {}) => filled(text(key), { app, ...values }, (value) => value),
    html: (key, values) =>
      filled(
        htmlText(text(key)),
        { app, ...values },
        (value) => `<strong dir="auto">${shown(value, 254)}</strong>`,
      ),
  };
}

/** A placeholder without a value stays: its caller fills it in. */
function filled(
  text: string,
  values: Readonly<Record<string, string>>,
  write: (value: string) => string,
): string {
  return text.replace(MAIL_PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : write(value);
  });
}
