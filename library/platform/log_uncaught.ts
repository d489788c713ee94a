/**
 * Logs errors that escape from authored code after its call, such as those of a promise that nobody awaits. They must not end
 * the process.
 */
import type { Logger } from "../../shared/runtime/ports.ts";

export function logUncaught(logger: Logger): void {
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const message = "A promise was rejected that nobody waited for";
    logger.log({ level: "error", message, error: event.reason });
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    const message = "An error was thrown that nobody could catch";
    logger.log({ level: "error", message, error: event.error });
  });
}
