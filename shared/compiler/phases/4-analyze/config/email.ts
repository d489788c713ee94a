/** `email`: how messages leave (definitions 2). */
import type { ProjectModel } from "../../../../model/project.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { matching, oneOf } from "../read/scalars.ts";

export function readEmail(fields: Fields): ProjectModel["email"] {
  const email = readMember(fields, "email", { keys: ["provider", "from", "fromName"] });
  const address = matching(/^[^\s@<>"]+@[^\s@<>"]+$/, "an email address");
  // A line break would start a header of its own.
  const oneLine = matching(/^[^\r\n]+$/, "a name on one line");
  return {
    provider: (email && readField(email, "provider", oneOf(["log", "smtp"]))) ?? "log",
    from: (email && readField(email, "from", address)) ?? null,
    fromName: (email && readField(email, "fromName", oneLine)) ?? null,
  };
}
