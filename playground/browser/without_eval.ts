/** Configures Zod before any schema is created: the page's policy forbids `eval`, which Zod would otherwise try. */
import { config } from "zod";

config({ jitless: true });
