/** `services.<name>`: what the file is called, `send-mail.ts` as `sendMail` (definitions 6). */
import type { Report } from "../../../diagnostics/report.ts";
import type { AuthoredFile } from "../../values.ts";

/** Null: reported. */
export function serviceName({ file, exported }: AuthoredFile, report: Report): string | null {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
  const name = base.replace(/-([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const isName = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !(name in Object.prototype);
  if (isName) return name;
  const place = exported?.place ?? { file, line: 1, column: 1, length: 1 };
  report.add("SERVICE_NAME", place, { name: base });
  return null;
}
