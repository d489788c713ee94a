/** Follows the work of `dev`, as its server reports it. */
import { DELIVERY, type Delivery, ROUTES, STATUS, type Status } from "../protocol.ts";
import { type Connection, Disconnected } from "./connection.ts";

const AGAIN_MILLISECONDS = 2_000;

/** Listens for as long as the page is open. */
export async function followDev(connection: Connection, events: {
  readonly onStatus: (status: Status) => void;
  /** Called when files in the project's folder were changed. */
  readonly onFiles: () => void;
  /** Called when the webhook sink has received a delivery; some are repeated after a reconnect. */
  readonly onDelivery: (delivery: Delivery) => void;
  /** Called when `dev` is gone. The feed tries to reconnect for as long as the page is open. */
  readonly onLost: () => void;
}): Promise<never> {
  for (;;) {
    try {
      for await (const { event, data } of connection.frames(ROUTES.events)) {
        if (event === "status") events.onStatus(STATUS.parse(data));
        if (event === "delivery") events.onDelivery(DELIVERY.parse(data));
        if (event === "files") events.onFiles();
      }
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error;
    }
    events.onLost();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
  }
}
