/** Texts in the answer of a service: they end on a terminal, so none is taken with a control character in it. */
import { z } from "zod";
import { printable } from "../shared/lib/texts.ts";

/** Every text of an answer but the content of files; line breaks too become stand-ins, so that none begins a line of ours. */
export const SERVICE_TEXT = z.string().transform(printable);
