/** Imported before any schema is made: the page's policy lets nothing make code out of text, which the library would try. */
import { config } from "zod";

config({ jitless: true });
