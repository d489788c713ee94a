/**
 * The database of code that runs without a caller: its writes are published where those of other handlers are (contract
 * 6.3).
 */
import type { ProjectModel } from "../../model/project.ts";
import type { Database, Ports } from "../ports.ts";
import { createPublisher } from "./publisher.ts";
import { watchingDatabase } from "./watching_database.ts";

type PublishingPorts = Pick<Ports, "database" | "clock" | "logger" | "realtime">;

/** Adds publication to the database, unless the project publishes no handler's writes or the host has no realtime. */
export function publishingDatabase(project: ProjectModel, ports: PublishingPorts): Database {
  const { enabled, emitFromActions } = project.realtime;
  if (!enabled || !emitFromActions || !ports.realtime) return ports.database;
  // Signals are sent by actions alone, so the registry's code is not needed here.
  const options = { ports, realtime: ports.realtime, code: null };
  return watchingDatabase(ports.database, createPublisher(project, options));
}
