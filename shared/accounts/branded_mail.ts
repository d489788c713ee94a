/**
 * Messages with a project's branding (definitions 2, `branding`): the text as HTML, under the name or logo, with a button for
 * the link.
 */
import { htmlText } from "../lib/texts.ts";
import { type BrandingModel, textOn } from "../model/mod.ts";
import type { InlineImage } from "../runtime/ports.ts";

export interface BrandedText {
  readonly branding: BrandingModel;
  /** The project's name for people. */
  readonly app: string;
  /** Language of the text (BCP 47). */
  readonly language: string;
  readonly subject: string;
  /** Paragraphs separated by blank lines. A paragraph that consists of the link becomes the button. */
  readonly text: string;
  /** Absent: the message has no link. */
  readonly link?: { readonly url: string; readonly label: string };
}

/** Only the button has fixed colours. Mail programs may invert all others for dark screens. */
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

/** Returns the logo as an inline part of the message; null when there is none in a format that mail programs show. */
export function pngOf({ logo }: BrandingModel): InlineImage | null {
  return logo?.type === "image/png" ? { id: "logo", type: logo.type, data: logo.data } : null;
}
