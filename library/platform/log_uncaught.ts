/**
 * Handles errors that escape from authored code after its call is over, such as a promise that nobody waits for: logged, and
 * no reason to end everybody's requests with the process.
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
