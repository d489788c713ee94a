/** Redis, as far as it is used here. */
/** The commands that this project uses; a client of the `redis` package satisfies it. */
export interface RedisCommands {
  /** One atomic script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}
