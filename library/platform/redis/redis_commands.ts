/** The parts of Redis that are used here. */
/** The commands that this project uses. A client of the `redis` package has them. */
export interface RedisCommands {
  /** Runs one atomic script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}
