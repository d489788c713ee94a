/** Connections that read beside the event loop. They are opened on demand and closed when idle. */
import type { Connection } from "./connection.ts";

export interface ReadingPool {
  use<T>(read: (connection: Connection) => Promise<T>): Promise<T>;
  close(): void;
}

/** Milliseconds until an idle connection is closed. */
const IDLE_MS = 5000;

export function readingPool(open: () => Connection): ReadingPool {
  const idle: Connection[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const closeIdle = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const connection of idle.splice(0)) connection.close();
  };
  return {
    async use(read) {
      const connection = idle.pop() ?? open();
      try {
        const result = await read(connection);
        if (connection.isWorn) connection.close();
        else idle.push(connection);
        return result;
      } catch (error) {
        // Closing the connection removes what is left of an interrupted statement.
        connection.close();
        throw error;
      } finally {
        if (isClosed) closeIdle();
        else if (idle.length > 0) {
          clearTimeout(timer);
          timer = setTimeout(closeIdle, IDLE_MS);
          Deno.unrefTimer(timer);
        }
      }
    },
    close() {
      isClosed = true;
      closeIdle();
    },
  };
}
