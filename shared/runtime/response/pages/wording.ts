/** What the pages say to one caller: the project's words in a language that the browser asks for, else English (definitions 6). */
import { htmlText } from "../../../lib/texts.ts";
import {
  MAIL_PLACEHOLDER,
  PAGE_TEXTS,
  type PageText,
  type ProjectModel,
} from "../../../model/mod.ts";
import { shown } from "./shown.ts";

export interface Wording {
  /** Of the page, for those who read it aloud (BCP 47). */
  readonly language: string;
  /** Name of the project. */
  readonly app: string;
  /** A text without placeholders, or with the values of some. */
  says(key: PageText, values?: Readonly<Record<string, string>>): string;
  /** A text as HTML, in which values stand out. */
  html(key: PageText, values: Readonly<Record<string, string>>): string;
}

/** The words for a project's pages. */
export function wordingOf({ name }: ProjectModel): Wording {
  const app = name;
  const text = (key: PageText): string => PAGE_TEXTS[key];
  return {
    language: "en",
    app,
    says: (key, values = {}) =>
      text(key).replace(MAIL_PLACEHOLDER, (whole, name: string) => values[name] ?? whole),
    html: (key, values) => {
      const known: Readonly<Record<string, string>> = { app, ...values };
      return htmlText(text(key)).replace(MAIL_PLACEHOLDER, (whole, name: string) => {
        const value = known[name];
        return value === undefined ? whole : `<strong>${shown(value, 254)}</strong>`;
      });
    },
  };
}
