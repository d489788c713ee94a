/** libSQL's embedded replica: it follows its primary's log into a file, on threads of its own. */
import NativeDatabase from "libsql";
import PromiseDatabase from "libsql/promise";

export interface ReplicaOptions {
  readonly path: string;
  /** URL of the primary. */
  readonly url: string;
  readonly authToken: string | null;
}

export interface Replica {
  /** Pulls all that the primary has. Returns the number of the last frame; 0: the primary is empty. */
  pull(): Promise<number>;
  close(): void;
}

/** Options that the package's types lack. */
interface SyncOptions extends NativeDatabase.Options {
  readonly syncUrl: string;
  readonly authToken?: string;
  readonly readYourWrites: boolean;
}

/** Opens the replica. It blocks this thread while it contacts the primary, so call it when the primary is known to answer. */
export function openReplica({ path, url, authToken }: ReplicaOptions): Replica {
  const options: SyncOptions = {
    syncUrl: url.replace(/^libsql:/, "https:"),
    // Writes do not go through the replica.
    readYourWrites: false,
    ...(authToken === null ? {} : { authToken }),
  };
  const native = new NativeDatabase(path, options);
  return {
    async pull() {
      // One class of the package opens a replica wrongly, and the other's `sync` blocks the thread, so both are combined.
      const pulled: unknown = await Reflect.apply(PromiseDatabase.prototype.sync, native, []);
      if (typeof pulled !== "object" || pulled === null || !("frame_no" in pulled)) return 0;
      return typeof pulled.frame_no === "number" ? pulled.frame_no : 0;
    },
    close: () => native.close(),
  };
}
