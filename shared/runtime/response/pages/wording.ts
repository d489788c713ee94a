/**
 * Words the pages for one caller: in the project's texts, in a language that the browser requests, else in English (definitions
 * 6).
 */
import { chosenLanguage } from "../../../lib/languages.ts";
import { htmlText } from "../../../lib/texts.ts";
import { languagesWith, MAIL_PLACEHOLDER, PAGE_TEXTS, shownName } from "../../../model/mod.ts";
import type { BrandingModel, PageText, ProjectModel, Says } from "../../../model/mod.ts";
import { shown } from "./shown.ts";

export interface Wording {
  /** Language of the page, for screen readers (BCP 47). */
  readonly language: string;
  /** Name of the project for display. */
  readonly app: string;
  readonly branding: BrandingModel;
  /** Returns a text as it is, with the values of its placeholders. */
  readonly says: Says;
  /** Returns a text as HTML, in which values stand out. */
  html(key: PageText, values: Readonly<Record<string, string>>): string;
}

/** Returns the words for a project's pages in the language that the request's headers ask for. */
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

/** Fills the placeholders of a text. A placeholder without a value is kept: its caller fills it in. */
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
