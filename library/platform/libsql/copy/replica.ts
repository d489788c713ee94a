/** libSQL's embedded replica: follows its primary's log into a file, on threads of its own. */
import NativeDatabase from "libsql";
import PromiseDatabase from "libsql/promise";

export interface ReplicaOptions {
  readonly path: string;
  /** Of the primary. */
  readonly url: string;
  readonly authToken: string | null;
}

export interface Replica {
  /** Takes what the primary has; the number of the last frame that the copy has then. 0: the primary is empty. */
  pull(): Promise<number>;
  close(): void;
}

/** Options that the types of the package do not name. */
interface SyncOptions extends NativeDatabase.Options {
  readonly syncUrl: string;
  readonly authToken?: string;
  readonly readYourWrites: boolean;
}

/** Asks the primary how it is followed, holding this thread: to be called when the primary is known to answer. */
export function openReplica({ path, url, authToken }: ReplicaOptions): Replica {
  const options: SyncOptions = {
    syncUrl: url.replace(/^libsql:/, "https:"),
    // Writes take another way.
    readYourWrites: false,
    ...(authToken === null ? {} : { authToken }),
  };
  const native = new NativeDatabase(path, options);
  return {
    async pull() {
      // The one class opens a replica wrongly (its argument list lacks one), the other one's `sync` holds the thread.
      const pulled: unknown = await Reflect.apply(PromiseDatabase.prototype.sync, native, []);
      if (typeof pulled !== "object" || pulled === null || !("frame_no" in pulled)) return 0;
      return typeof pulled.frame_no === "number" ? pulled.frame_no : 0;
    },
    close: () => native.close(),
  };
}
