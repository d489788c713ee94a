/** Messages with the face of a project (definitions 2, `branding`): the same text as HTML, under its name or logo, with a button for its link. */
import { htmlText } from "../lib/texts.ts";
import { type BrandingModel, textOn } from "../model/mod.ts";
import type { InlineImage } from "../runtime/ports.ts";

export interface BrandedText {
  readonly branding: BrandingModel;
  /** Name of the project, for people. */
  readonly app: string;
  /** Of the text (BCP 47). */
  readonly language: string;
  readonly subject: string;
  /** Paragraphs with blank lines between them; the link alone in one is the button. */
  readonly text: string;
  /** Absent: the message has no link. */
  readonly link?: { readonly url: string; readonly label: string };
}

/** Colours that programs may turn for dark screens, but for those of the button. */
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none";
const COLOR = "#1c1c1a";

export function brandedHtml(
  { branding, app, language, subject, text, link }: BrandedText,
): string {
  const { color = COLOR } = branding;
  const button = ({ url, label }: NonNullable<BrandedText["link"]>) =>
    `<p style="margin:24px 0"><a href="${
      htmlText(url)
    }" style="${BUTTON};background:${color};color:${textOn(color)}">${htmlText(label)}</a></p>
<p style="font-size:14px"><a href="${htmlText(url)}" style="color:inherit">${
      htmlText(url)
    }</a></p>`;
  const paragraphs = text.trim().split(/\n\s*\n/).map((paragraph) =>
    link !== undefined && paragraph.trim() === link.url
      ? button(link)
      : `<p>${htmlText(paragraph).replaceAll("\n", "<br>")}</p>`
  );
  const image = pngOf(branding);
  const mark = image === null
    ? htmlText(app)
    : `<img src="cid:${image.id}" alt="${htmlText(app)}" height="36" style="height:36px">`;
  return `<!doctype html>
<html lang="${htmlText(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">
<p style="font-weight:600">${mark}</p>
${paragraphs.join("\n")}
</div>
</body>
</html>
`;
}

/** The logo as a part of the message; null: there is none that programs for mail show. */
export function pngOf({ logo }: BrandingModel): InlineImage | null {
  return logo?.type === "image/png" ? { id: "logo", type: logo.type, data: logo.data } : null;
}
