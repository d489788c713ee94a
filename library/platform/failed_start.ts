/** Ends a process that cannot start, in one sentence that names the variable or the file, with status 1 (definitions 8). */
import { setting, type Variables } from "../../shared/lib/variables.ts";
import { DatabaseUnavailableError, MigrationError } from "../../shared/runtime/ports.ts";
import { DEFAULT_DATABASE_URL, shownDatabase } from "./environment_values.ts";

/**
 * To be called first. Whatever nobody catches ends the process until `started` is called: what it says of an operator's mistake
 * is a sentence, what it says of anything else has its stack.
 */
export function endOnFailedStart(variables: Variables): { readonly started: () => void } {
  const end = (event: Event, error: unknown) => {
    event.preventDefault();
    console.error(startFailure(error, variables) ?? error);
    Deno.exit(1);
  };
  const onRejection = (event: PromiseRejectionEvent) => end(event, event.reason);
  const onError = (event: ErrorEvent) => end(event, event.error);
  addEventListener("unhandledrejection", onRejection);
  addEventListener("error", onError);
  return {
    started() {
      removeEventListener("unhandledrejection", onRejection);
      removeEventListener("error", onError);
    },
  };
}

/** The sentence of an error that an operator can do something about; null: it is a fault of the program. */
export function startFailure(error: unknown, variables: Variables): string | null {
  if (!(error instanceof Error)) return null;
  const outage = outageIn(error);
  if (outage !== null) {
    const shown = shownDatabase(setting(variables, "DATABASE_URL") ?? DEFAULT_DATABASE_URL);
    return `Cannot start: ${outage.message}: DATABASE_URL is '${shown}'`;
  }
  if (error.message.startsWith("Cannot ")) return error.message;
  if (error instanceof MigrationError) return `Cannot start: ${error.message}`;
  // The system's own refusals name the file.
  const isSystems = Object.values(Deno.errors).some((Refusal) => error instanceof Refusal);
  return isSystems ? `Cannot start: ${error.message}` : null;
}

function outageIn(error: Error): DatabaseUnavailableError | null {
  if (error instanceof DatabaseUnavailableError) return error;
  return error.cause instanceof Error ? outageIn(error.cause) : null;
}
