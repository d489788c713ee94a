/** Cleans texts in a service's answer: they are printed on a terminal, so control characters are replaced. */
import { z } from "zod";
import { printable } from "../shared/lib/texts.ts";

/**
 * Every text of an answer except the content of files. Line breaks are replaced too, so that no text can imitate a line of the
 * command.
 */
export const SERVICE_TEXT = z.string().transform(printable);
