/** Ends a process that cannot start with status 1 and one sentence that names the variable or the file (definitions 8). */
import { setting, type Variables } from "../../shared/lib/variables.ts";
import { DatabaseUnavailableError, MigrationError } from "../../shared/runtime/ports.ts";
import { DEFAULT_DATABASE_URL, shownDatabase } from "./environment_values.ts";

/**
 * Installs the handler. Call it first. Until `started` is called, any uncaught error ends the process: an operator's mistake
 * with one sentence, any other error with its stack.
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

/** Returns the sentence for an error that an operator can fix; null: it is a fault of the program. */
export function startFailure(error: unknown, variables: Variables): string | null {
  if (!(error instanceof Error)) return null;
  const outage = outageIn(error);
  if (outage !== null) {
    const shown = shownDatabase(setting(variables, "DATABASE_URL") ?? DEFAULT_DATABASE_URL);
    return `Cannot start: ${outage.message}: DATABASE_URL is '${shown}'`;
  }
  if (error.message.startsWith("Cannot ")) return error.message;
  if (error instanceof MigrationError) return `Cannot start: ${error.message}`;
  // Errors of the system name the file.
  const isSystems = Object.values(Deno.errors).some((Refusal) => error instanceof Refusal);
  return isSystems ? `Cannot start: ${error.message}` : null;
}

function outageIn(error: Error): DatabaseUnavailableError | null {
  if (error instanceof DatabaseUnavailableError) return error;
  return error.cause instanceof Error ? outageIn(error.cause) : null;
}
